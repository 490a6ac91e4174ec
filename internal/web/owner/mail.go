package owner

var mailDoors = []door{}
