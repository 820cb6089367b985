package quotes

import "net/http"

func Create(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusCreated) }

func Show(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusOK) }

func Update(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusOK) }

func Remove(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) }
