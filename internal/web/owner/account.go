package owner

var accountDoors = []door{}
