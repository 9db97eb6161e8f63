// Verifies the envelopes of dsse.json with go-securesystemslib, as they are and with one bit of the signature or of the payload
// flipped, and prints the results: in a folder with a copy of this file,
// go mod init vectors && go get github.com/secure-systems-lab/go-securesystemslib@v0.11.1 && go run dsse.go < dsse.json > dsse-go.json
package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"

	"github.com/secure-systems-lab/go-securesystemslib/dsse"
	"github.com/secure-systems-lab/go-securesystemslib/signerverifier"
)

type vector struct {
	Envelope json.RawMessage `json:"envelope"`
}

type result struct {
	Keyid             string `json:"keyid"`
	IsAccepted        bool   `json:"is_accepted"`
	IsSamePayload     bool   `json:"is_same_payload"`
	IsAcceptedFlipped bool   `json:"is_accepted_flipped"`
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func accepts(envelope *dsse.Envelope, keyid string) (bool, []byte) {
	key := &signerverifier.SSLibKey{
		KeyID: keyid, KeyType: "ed25519", Scheme: "ed25519", KeyVal: signerverifier.KeyVal{Public: keyid},
	}
	verifier := must(signerverifier.NewED25519SignerVerifierFromSSLibKey(key))
	_, payload, err := must(dsse.NewEnvelopeVerifier(verifier)).VerifyAndDecode(context.Background(), envelope)
	return err == nil, payload
}

func flipped(text string, at int) string {
	raw := must(base64.StdEncoding.DecodeString(text))
	raw[at%len(raw)] ^= 1 << (at % 8)
	return base64.StdEncoding.EncodeToString(raw)
}

func main() {
	var vectors []vector
	if err := json.NewDecoder(os.Stdin).Decode(&vectors); err != nil {
		panic(err)
	}
	results := make([]result, len(vectors))
	for at, one := range vectors {
		var envelope dsse.Envelope
		if err := json.Unmarshal(one.Envelope, &envelope); err != nil {
			panic(err)
		}
		keyid, sig := envelope.Signatures[0].KeyID, envelope.Signatures[0].Sig
		accepted, payload := accepts(&envelope, keyid)
		badSig, badPayload := envelope, envelope
		badSig.Signatures = []dsse.Signature{{KeyID: keyid, Sig: flipped(sig, at)}}
		badPayload.Payload = flipped(envelope.Payload, at)
		sigAccepted, _ := accepts(&badSig, keyid)
		payloadAccepted, _ := accepts(&badPayload, keyid)
		sent := must(base64.StdEncoding.DecodeString(envelope.Payload))
		results[at] = result{keyid, accepted, bytes.Equal(payload, sent), sigAccepted || payloadAccepted}
	}
	fmt.Println(string(must(json.MarshalIndent(results, "", " "))))
}
