package owner

var paymentDoors = []door{}
