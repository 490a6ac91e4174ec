package owner

var lookDoors = []door{}
