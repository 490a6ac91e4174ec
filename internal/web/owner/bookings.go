package owner

var bookingDoors = []door{}
