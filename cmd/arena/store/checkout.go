package store

import (
	"errors"
	"os"
	"path/filepath"
)

// CheckoutBundles returns the folder results/bundles of the checkout.
func CheckoutBundles() (string, error) {
	root, err := CheckoutRoot()
	if err != nil {
		return "", err
	}
	return filepath.Join(root, "results", "bundles"), nil
}

// CheckoutRoot returns the folder of the checkout that holds the working folder,
// as seen from there.
func CheckoutRoot() (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(filepath.Join(dir, "results", "bundles")); err == nil && info.IsDir() {
			return filepath.Rel(here, dir)
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("there is no results/bundles here or in a folder above")
		}
	}
}

// DefaultFolder returns the folder of the checkout's bundles, else this one. A
// checkout without any bundle has no such folder yet: it is known by its
// contracts.
func DefaultFolder() string {
	if dir, err := CheckoutBundles(); err == nil {
		return dir
	}
	here, err := os.Getwd()
	if err != nil {
		return "."
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(filepath.Join(dir, "content", "contracts")); err == nil && info.IsDir() {
			if rel, err := filepath.Rel(here, filepath.Join(dir, "results", "bundles")); err == nil {
				return rel
			}
		}
		if dir == filepath.Dir(dir) {
			return "."
		}
	}
}
