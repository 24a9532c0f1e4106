package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// A checkpoint is the text of a note: origin, size and root, a line each. It is opened with the key of the log.
type checkpoint struct {
	origin string
	tree   tlog.Tree
	note   *note.Note
	raw    []byte
}

func openCheckpoint(raw []byte, log note.Verifier) (checkpoint, error) {
	opened, err := note.Open(raw, note.VerifierList(log))
	if err != nil {
		return checkpoint{}, err
	}
	found, err := parseCheckpoint(opened.Text)
	if err == nil && found.origin != log.Name() {
		err = fmt.Errorf("expected a checkpoint of %s, found one of %s", log.Name(), found.origin)
	}
	found.note, found.raw = opened, raw
	return found, err
}

func parseCheckpoint(text string) (checkpoint, error) {
	lines := strings.SplitN(text, "\n", 4)
	if len(lines) != 4 {
		return checkpoint{}, errors.New("expected origin, size and root, a line each")
	}
	size, err := parseSize(lines[1])
	if err != nil {
		return checkpoint{}, err
	}
	root, err := tlog.ParseHash(lines[2])
	return checkpoint{origin: lines[0], tree: tlog.Tree{N: size, Hash: root}}, err
}

func parseSize(text string) (int64, error) {
	size, err := strconv.ParseInt(text, 10, 64)
	if err != nil || size < 0 || strconv.FormatInt(size, 10) != text {
		return 0, fmt.Errorf("expected a size, found %q", text)
	}
	return size, nil
}

func parsePath(lines []string) ([]tlog.Hash, error) {
	var path []tlog.Hash
	for _, line := range lines {
		hash, err := tlog.ParseHash(line)
		if err != nil {
			return nil, err
		}
		path = append(path, hash)
	}
	return path, nil
}

// parseProof reads a C2SP tlog-proof: the index, the path, and the note of the checkpoint.
func parseProof(raw []byte) (int64, tlog.RecordProof, string, error) {
	head, signed, _ := strings.Cut(string(raw), "\n\n")
	lines := strings.Split(head, "\n")
	if len(lines) < 2 || lines[0] != "c2sp.org/tlog-proof@v1" || !strings.HasPrefix(lines[1], "index ") {
		return 0, nil, "", errors.New("expected a tlog-proof")
	}
	index, err := parseSize(strings.TrimPrefix(lines[1], "index "))
	if err != nil {
		return 0, nil, "", err
	}
	path, err := parsePath(lines[2:])
	return index, path, signed, err
}

// A cosigner signs notes as a witness does: C2SP tlog-cosignature/v1, a kind of key that package note does not know.
type cosigner struct {
	name    string
	hash    uint32
	private ed25519.PrivateKey
	now     func() time.Time
}

const cosignatureKind = 0x04

// parseCosigner reads the private key of a witness, as `spina witness` keeps it: PRIVATE+KEY+NAME+ID+base64(kind, seed).
func parseCosigner(text string) (*cosigner, error) {
	parts := strings.SplitN(strings.TrimSpace(text), "+", 5)
	if len(parts) != 5 || parts[0] != "PRIVATE" || parts[1] != "KEY" {
		return nil, errors.New("expected a private key of a witness")
	}
	key, err := base64.StdEncoding.DecodeString(parts[4])
	if err != nil || len(key) != 1+ed25519.SeedSize || key[0] != cosignatureKind {
		return nil, errors.New("expected a private key of a witness")
	}
	private := ed25519.NewKeyFromSeed(key[1:])
	id := sha256.Sum256(append([]byte(parts[2]+"\n\x04"), private.Public().(ed25519.PublicKey)...))
	if fmt.Sprintf("%x", id[:4]) != parts[3] {
		return nil, errors.New("expected the id of this key")
	}
	return &cosigner{parts[2], binary.BigEndian.Uint32(id[:4]), private, time.Now}, nil
}

func (signer *cosigner) Name() string    { return signer.name }
func (signer *cosigner) KeyHash() uint32 { return signer.hash }

// Sign gives the time and the signature over both the time and the text.
func (signer *cosigner) Sign(text []byte) ([]byte, error) {
	seconds := signer.now().Unix()
	message := fmt.Sprintf("cosignature/v1\ntime %d\n%s", seconds, text)
	stamped := binary.BigEndian.AppendUint64(nil, uint64(seconds))
	return append(stamped, ed25519.Sign(signer.private, []byte(message))...), nil
}
