package page

// bookingsPath is where the bookings are listed; pages of other areas link to it.
const BookingsPath = "/settings/bookings"
