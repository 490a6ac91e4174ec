package public

import (
	"net/http"

	"slotd/internal/workspace/file"
)

var workspaceSchema = file.Schema()

// schema sends the JSON schema of the workspace file, for editors.
func (v *visit) schema() error {
	h := v.w.Header()
	h.Set("Content-Type", "application/schema+json")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "public, max-age=3600")
	v.w.WriteHeader(http.StatusOK)
	_, err := v.w.Write(workspaceSchema)
	return err
}
