package owner

// bookingsPath is where the bookings are listed; pages of other areas link to it.
const bookingsPath = "/settings/bookings"
