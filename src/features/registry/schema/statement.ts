/** Owns the provenance statement of a release: in-toto Statement v1 with SLSA provenance v1 in a DSSE envelope. */
import { type Attestation, type Provenance, splitPackage } from './records.js'

/** Media type of an in-toto statement (in-toto attestation framework, envelope v1). */
export const STATEMENT_TYPE = 'application/vnd.in-toto+json'

/** Subject of a statement; `sha256`: digest of its archive. */
export interface StatementSubject {
  readonly package: string
  readonly version: string
  readonly sha256: Uint8Array
}

/** JSON of the statement. Its bytes are the same on every node and client: the order of fields is fixed and all values are ASCII. */
export function statementOf(
  subject: StatementSubject,
  { buildType, source, commit, builder, invocation }: Provenance,
): string {
  const { domain, name } = splitPackage(subject.package)
  return JSON.stringify({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [
      {
        name: `pkg:causeway/${domain}/${name}@${subject.version}`,
        digest: { sha256: Buffer.from(subject.sha256).toString('hex') },
      },
    ],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType,
        externalParameters: { source },
        internalParameters: {},
        resolvedDependencies: [{ uri: source, digest: { gitCommit: commit } }],
      },
      runDetails: { builder: { id: builder }, metadata: { invocationId: invocation } },
    },
  })
}

/** Signed bytes: the pre-authentication encoding of DSSE v1. */
export function signedBytesOf(subject: StatementSubject, fields: Provenance): Buffer {
  const body = statementOf(subject, fields)
  return Buffer.from(`DSSEv1 ${STATEMENT_TYPE.length} ${STATEMENT_TYPE} ${Buffer.byteLength(body)} ${body}`)
}

/** DSSE envelope of an attestation, in the format of its tools. */
export const envelopeOf = (subject: StatementSubject, { key, provenance, signature }: Attestation) => ({
  payloadType: STATEMENT_TYPE,
  payload: Buffer.from(statementOf(subject, provenance)).toString('base64'),
  signatures: [{ keyid: Buffer.from(key).toString('hex'), sig: Buffer.from(signature).toString('base64') }],
})
