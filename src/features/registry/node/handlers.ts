/** Owns the choice of a release, its provenance, and the drafts of packages. */
import semver from 'semver'
import { type AnyHandler, handle } from '../../../api/handler.js'
import type { NodeServices } from '../../../api/services.js'
import { LedgerError } from '../../../model/index.js'
import { draftOfBody } from '../../drafts.js'
import { instructions } from '../schema/instructions.js'
import * as routes from '../schema/routes.js'
import { envelopeOf } from '../schema/statement.js'
import { queries, type ReleaseView, type VersionChoice } from '../schema/views.js'

interface Asked<Q> {
  readonly services: NodeServices
  readonly query: Q
}
type OfPackage = { readonly package: string }
type OfRelease = OfPackage & { readonly version: string }

const noPackage = (id: string): LedgerError => new LedgerError('not_found', `package ${id} does not exist`)
const noVersion = (id: string, version: string): LedgerError =>
  new LedgerError('not_found', `package ${id} has no version ${version}`)

async function releaseOf(services: NodeServices, asked: OfRelease): Promise<ReleaseView | LedgerError> {
  return (await services.query(queries.registryRelease, asked)) ?? noVersion(asked.package, asked.version)
}

async function tag({ services, params, query }: Asked<OfPackage> & { readonly params: { readonly tag: string } }) {
  const found = await services.query(queries.registryPackage, { package: query.package })
  if (found === undefined) return noPackage(query.package)
  const version = found.tags.find((one) => one.tag === params.tag)?.version
  if (version === undefined) return new LedgerError('not_found', `package ${query.package} has no tag ${params.tag}`)
  const value = await releaseOf(services, { package: query.package, version })
  return value instanceof LedgerError ? value : { value }
}

interface Wanted extends OfPackage {
  readonly range: string | undefined
  readonly minAgeMs: number | undefined
  readonly digest: Uint8Array | undefined
}

/**
 * Highest version that can be selected; undefined if there is none. A denied version is never a candidate, a yanked one
 * only if a digest is given.
 */
export function bestVersion(
  versions: readonly VersionChoice[],
  range: semver.Range,
  { minAgeMs = 0, digest }: Partial<Pick<Wanted, 'minAgeMs' | 'digest'>>,
  nowMs: number,
): string | undefined {
  let best: semver.SemVer | undefined
  // From the newest, which is usually the highest: a lower version is not tested against the range.
  for (const { version, publishedMs, isYanked, isDenied } of versions.toReversed()) {
    if (isDenied || publishedMs > nowMs - minAgeMs || (isYanked && digest === undefined)) continue
    const one = new semver.SemVer(version)
    if ((best === undefined || one.compare(best) > 0) && range.test(one)) best = one
  }
  return best?.version
}

async function resolve({ services, query: wanted }: Asked<Wanted>) {
  const { package: id, range: text = '*', digest: wantedDigest } = wanted
  if (semver.validRange(text) === null)
    return new LedgerError('malformed_request', `range: "${text}" is not a range of versions such as ^1.0`)
  const found = await services.query(queries.registryVersionList, { package: id, digest: wantedDigest })
  if (found === undefined) return noPackage(id)
  const version = bestVersion(found.versions, new semver.Range(text), wanted, services.chainTimeMs())
  const release = version === undefined ? undefined : await releaseOf(services, { package: id, version })
  if (release instanceof LedgerError) return release
  // A block may deny the archive between the two queries.
  if (release === undefined || release.isDenied)
    return new LedgerError('not_found', `package ${id} has no release in the range ${text}`)
  const { digest, manifest, publishedMs, height, yanked } = release
  const warning = yanked && `the release is yanked: ${yanked.reason}`
  return { value: { package: id, version: release.version, digest, publishedMs, manifest, warning, height } }
}

async function provenance({ services, query }: Asked<OfRelease>) {
  const release = await releaseOf(services, query)
  if (release instanceof LedgerError) return release
  const { version, manifest, attestations, height } = release
  const subject = { package: query.package, version, sha256: manifest.archive.sha256 }
  const envelopes = attestations.map(({ attestation }) => {
    const { payloadType, payload, signatures } = envelopeOf(subject, attestation)
    return {
      payloadType,
      payload: Buffer.from(payload, 'base64'),
      signatures: signatures.map(({ keyid, sig }) => ({ keyid, sig: Buffer.from(sig, 'base64') })),
    }
  })
  return { value: { package: query.package, version, envelopes, height } }
}

export const registryHandlers: ReadonlyMap<string, AnyHandler<NodeServices>> = new Map([
  handle(routes.tagRoute, tag),
  handle(routes.resolveRoute, resolve),
  handle(routes.provenanceRoute, provenance),
  handle(routes.createDraftRoute, draftOfBody(instructions.createPackage)),
  handle(routes.publishDraftRoute, draftOfBody(instructions.publishRelease)),
  handle(routes.yankDraftRoute, draftOfBody(instructions.yankRelease)),
  handle(routes.tagDraftRoute, draftOfBody(instructions.setTag)),
  handle(routes.attestDraftRoute, draftOfBody(instructions.attestRelease)),
  handle(routes.assertDraftRoute, draftOfBody(instructions.assertRelease)),
])
