// Package booking sells seats over HTTP.
package booking

import "net/http"

// Handle reads a booking from a request, checks it, and sells the seats.
func Handle(w http.ResponseWriter, r *http.Request) {
	crossing, seats := r.FormValue("crossing"), len(r.FormValue("seats"))
	if crossing == "" || seats == 0 {
		http.Error(w, "which crossing, and how many seats?", http.StatusBadRequest)
		return
	}
	sell(crossing, seats)
}

func sell(crossing string, seats int) {}
