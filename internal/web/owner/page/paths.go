package page

// BookingsPath is the path of the list of bookings. Pages of other areas link to it.
const BookingsPath = "/settings/bookings"
