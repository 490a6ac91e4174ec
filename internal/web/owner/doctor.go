package owner

var doctorDoors = []door{}
