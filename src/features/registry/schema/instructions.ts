/** Owns the instructions of packages. */
import { bool, bytesN, hash32, list, option, u32 } from '../../../codec/index.js'
import { accountId, defineInstructions, type InstructionOf } from '../../../model/index.js'
import {
  attestation,
  BUILDERS_MAX,
  MAINTAINERS_MAX,
  newBuilder,
  packageId,
  releaseManifest,
  releasePolicy,
  tagName,
  versionText,
  yankReason,
} from './records.js'

const release = { package: packageId, version: versionText }

export const instructions = defineInstructions({
  createPackage: {
    id: 1300,
    label: 'registry::create',
    record: {
      package: packageId,
      /** Empty: the authority alone. */
      maintainers: list(accountId, MAINTAINERS_MAX),
      policy: releasePolicy,
    },
  },
  setPackage: {
    id: 1301,
    label: 'registry::set',
    record: {
      package: packageId,
      maintainers: option(list(accountId, MAINTAINERS_MAX)),
      policy: option(releasePolicy),
      addBuilders: list(newBuilder, BUILDERS_MAX),
      /** Keys that cannot attest from now on; earlier attestations stay valid. */
      revokeBuilders: list(bytesN(32), BUILDERS_MAX),
    },
  },
  publishRelease: {
    id: 1302,
    label: 'registry::publish',
    record: { ...release, manifest: releaseManifest, attestation: option(attestation) },
  },
  yankRelease: {
    id: 1303,
    label: 'registry::yank',
    record: {
      ...release,
      /** Revision of the release that the change is based on. */
      revision: u32,
      yanked: bool,
      reason: yankReason,
    },
  },
  setTag: {
    id: 1304,
    label: 'registry::tag',
    record: {
      package: packageId,
      tag: tagName,
      /** Version that the tag names; absent: the tag is removed. */
      version: option(versionText),
      /** Revision of the tag that the change is based on; 0 for a new one. */
      revision: u32,
    },
  },
  attestRelease: { id: 1305, label: 'registry::attest', record: { ...release, attestation } },
  assertRelease: { id: 1306, label: 'registry::assert', record: { ...release, digest: hash32 } },
  removePackage: { id: 1307, label: 'registry::remove', record: { package: packageId } },
})

export interface SetPackage extends InstructionOf<typeof instructions.setPackage> {}
export interface PublishRelease extends InstructionOf<typeof instructions.publishRelease> {}
