package owner

var eventTypeDoors = []door{}
