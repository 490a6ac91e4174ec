package owner

var personDoors = []door{}
