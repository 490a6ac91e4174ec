package owner

var activityDoors = []door{}
