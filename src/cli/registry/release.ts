/** Owns releases on the command line: the archive, its manifest, and the attestation of a build. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { Args, Flags } from '@oclif/core'
import { type Json, pascalCase } from '../../codec/index.js'
import { isJsonList, isJsonObject } from '../../codec/schema.js'
import type { SigningKey } from '../../crypto/signing-key.js'
import {
  type Attestation,
  type Provenance,
  provenance,
  type ReleaseManifest,
  releaseManifest,
} from '../../features/registry/schema/records.js'
import { type StatementSubject, signedBytesOf } from '../../features/registry/schema/statement.js'
import { LedgerError } from '../../model/errors.js'
import { readKey } from '../settings/key.js'
import { usageError } from '../terminal/failure.js'

export const packageArg = Args.string({ description: 'package, as domain/name', required: true, ignoreStdin: true })
export const versionArg = Args.string({ description: 'version, such as 1.4.0', required: true, ignoreStdin: true })

/** JSON variants of policies by their flags. */
const POLICIES = { none: 'None', signed: 'Signed', builder: 'Builder' } as const
export const policyVariant = (policy: keyof typeof POLICIES) => POLICIES[policy]

/** Flags of an attestation: the fields of its SLSA provenance and the key that signs it. */
export const provenanceFlags = {
  source: Flags.string({ description: 'source of the build, such as git+https://example.com/kit' }),
  commit: Flags.string({ description: 'commit of the source', dependsOn: ['source'] }),
  'build-type': Flags.string({ description: 'URI of the build type', dependsOn: ['source'] }),
  builder: Flags.string({ description: 'URI of the build service', dependsOn: ['source'] }),
  invocation: Flags.string({ description: 'id of the build run', dependsOn: ['source'] }),
  'attest-key': Flags.string({
    description: 'key file of the builder (default: the signing key)',
    helpValue: 'FILE',
    dependsOn: ['source'],
  }),
}
export interface ProvenanceFlags {
  readonly source?: string | undefined
  readonly commit?: string | undefined
  readonly 'build-type'?: string | undefined
  readonly builder?: string | undefined
  readonly invocation?: string | undefined
  readonly 'attest-key'?: string | undefined
}

/** Package and version of the text `domain/name@version`. */
export function releaseOfText(text: string): { readonly package: string; readonly version: string } {
  const at = text.lastIndexOf('@')
  if (at < 1) throw usageError(`"${text}" is not a release`, 'Write domain/name@version, such as bank/kit@1.0.0.')
  return { package: text.slice(0, at), version: text.slice(at + 1) }
}

/** Length and SHA-256 of a file. */
export async function digestOfFile(path: string): Promise<{ readonly bytes: number; readonly sha256: Buffer }> {
  const hasher = createHash('sha256')
  let bytes = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hasher.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hasher.digest() }
}

/** Media types of archives by the end of their name. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.tgz': 'application/gzip',
  '.gz': 'application/gzip',
  '.zip': 'application/zip',
  '.tar': 'application/x-tar',
  '.wasm': 'application/wasm',
}
const mediaTypeOf = (path: string): string =>
  Object.entries(MEDIA_TYPES).find(([end]) => path.endsWith(end))?.[1] ?? 'application/octet-stream'

/** Alternatives in JSON of a range in npm syntax. `semver` is loaded only for dependencies. */
async function alternativesJson(range: string): Promise<Json> {
  const { alternativesOf } = await import('../../client/version-ranges.js')
  return alternativesOf(range).map((all) => all.map(({ op, version }) => ({ op: pascalCase(op), version })))
}

/** Dependency of a manifest file: a text in `range` becomes its alternatives; anything else is unchanged. */
async function dependencyJson(given: Json): Promise<Json> {
  if (!isJsonObject(given) || typeof given['range'] !== 'string') return given
  if (given['alternatives'] !== undefined)
    throw usageError('a dependency has both a range and alternatives', 'Give one of them.')
  const { range, ...rest } = given
  return { ...rest, alternatives: await alternativesJson(range) }
}

/** Runtime dependency of the text `domain/name@range`. */
async function dependencyOfText(text: string): Promise<Json> {
  const at = text.indexOf('@')
  if (at < 1 || at === text.length - 1)
    throw usageError(`"${text}" is not a dependency`, 'Write domain/name@range, such as bank/log@^1.2.')
  return { package: text.slice(0, at), kind: 'Runtime', alternatives: await alternativesJson(text.slice(at + 1)) }
}

/** Values of a manifest from flags. */
export interface ManifestFlags {
  readonly license: string
  readonly description: string
  /** Runtime dependencies as `domain/name@range`, after those of the file. */
  readonly dependency?: readonly string[] | undefined
}

/**
 * Manifest of an archive. `given`: JSON fields of a file that override the licence and the description; a dependency may
 * have a `range` in npm syntax instead of alternatives. Throws `usage` for a malformed range.
 */
export async function manifestOfArchive(
  path: string,
  given: Json,
  { license, description, dependency = [] }: ManifestFlags,
): Promise<ReleaseManifest> {
  if (!isJsonObject(given))
    throw usageError('the manifest must be a JSON object', 'causeway codec schema ReleaseManifest')
  const { bytes, sha256 } = await digestOfFile(path)
  const archive = { sha256: sha256.toString('hex'), bytes, media_type: mediaTypeOf(path), cid: null }
  const listed = given['dependencies'] ?? []
  if (!isJsonList(listed)) throw usageError('dependencies of the manifest must be a list')
  const dependencies = await Promise.all([...listed.map(dependencyJson), ...dependency.map(dependencyOfText)])
  const empty = { code_hash: null, abi_hash: null, exports: [], license, description }
  const parsed = releaseManifest.fromJson({ ...empty, ...given, dependencies, archive })
  if (!parsed.ok) throw new LedgerError(parsed.fault.code, `manifest: ${parsed.fault.message}`)
  return parsed.value
}

function provenanceOf(flags: ProvenanceFlags): Provenance {
  const { source, commit, 'build-type': buildType, builder, invocation } = flags
  const json = { build_type: buildType, source, commit, builder, invocation }
  const missing = Object.entries(json).find(([, value]) => value === undefined)?.[0]
  if (missing !== undefined)
    throw usageError(`an attestation requires --${missing.replaceAll('_', '-')}`, 'Give all fields of the provenance.')
  const parsed = provenance.fromJson(json as Json)
  if (!parsed.ok) throw new LedgerError(parsed.fault.code, `provenance: ${parsed.fault.message}`)
  return parsed.value
}

/** Attestation of a release by the key of the flags or of the settings; undefined without `--source`. */
export async function attestationOf(
  flags: ProvenanceFlags,
  subject: StatementSubject,
  signer: () => Promise<SigningKey>,
): Promise<Attestation | undefined> {
  if (flags.source === undefined) return undefined
  const fields = provenanceOf(flags)
  const file = flags['attest-key']
  const key = file === undefined ? await signer() : await readKey(file)
  if (key.publicKey.algorithm !== 'ed25519')
    throw new LedgerError('signature_algorithm_denied', 'attestations are signed with Ed25519 keys')
  const message = signedBytesOf(subject, fields)
  const { signMessage } = await import('../../client/index.js')
  return { key: key.publicKey.bytes, provenance: fields, signature: await signMessage(key, message) }
}
