package owner

var memberDoors = []door{}
