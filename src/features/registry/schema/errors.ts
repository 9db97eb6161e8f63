/** Owns the error codes of packages. */
import { answered, declareErrors, type ErrorDef, EXIT } from '../../../model/index.js'
import { REGISTRY_IDS } from './records.js'

const rejected = (at: number, meaning: string, remedy: string): ErrorDef =>
  answered(REGISTRY_IDS.first + at, 422, EXIT.rejected, meaning, remedy)

export const errors = declareErrors({
  package_confusable: rejected(
    0,
    'Another package of the domain has the same name apart from hyphens.',
    'Choose a name that differs in a letter or digit.',
  ),
  bad_semver: rejected(
    1,
    'The version is not a semantic version without build metadata.',
    'Write MAJOR.MINOR.PATCH without leading zeros, optionally with a pre-release: `1.4.0`, `2.0.0-rc.1`.',
  ),
  provenance_required: rejected(
    2,
    'The policy of the package requires an attestation for each release.',
    'Publish with an attestation: `--source` and the other flags of the provenance. The policy `builder` requires the key of a builder.',
  ),
  provenance_invalid: rejected(
    3,
    'The attestation is not acceptable: its key, its source or its signature.',
    'The message names the fault. `causeway registry show` lists the builders with their source prefixes.',
  ),
  revision_changed: rejected(
    4,
    'The release or tag was changed after the command read it.',
    'Read it again and repeat the change.',
  ),
  release_changed: rejected(
    5,
    'The asserted release does not exist, is yanked, has another digest, or its archive is on the deny list.',
    'Resolve the package again: `causeway registry resolve`.',
  ),
  version_limit: rejected(
    6,
    'A package has at most 4,096 versions.',
    'Publish further versions under another package.',
  ),
  package_limit: rejected(
    7,
    'The domain has 1,024 packages, or the package has the maximum number of builders.',
    'Use another domain, or revoke a builder that is no longer used.',
  ),
})

declare module '../../../model/error-catalogue.js' {
  interface ErrorRegistry extends Record<keyof typeof errors, ErrorDef> {}
}
