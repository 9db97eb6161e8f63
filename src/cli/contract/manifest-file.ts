/** Owns manifest files of contracts, in the format of `contract show --json`, for signing without a network. */
import type { CodecContext, Json } from '../../codec/index.js'
import { isJsonObject } from '../../codec/schema.js'
import { instanceView } from '../../features/contracts/schema/views.js'
import { LedgerError } from '../../model/errors.js'
import { bodiesOf, type KnownContracts, type ReadManifest } from '../gateway/contract-reading.js'
import { inputName } from '../input/input.js'
import { readJsonInput } from '../input/json.js'

/** Manifests in files, by contract address and artifact hash. */
export async function manifestsOf(files: readonly string[], codec: CodecContext): Promise<KnownContracts['manifests']> {
  const manifests = new Map<string, ReadManifest>()
  for (const file of files) {
    const jsonForm = await readJsonInput(file)
    const view = instanceView.fromJson(jsonForm, codec)
    if (!view.ok || !isJsonObject(jsonForm)) {
      const why = view.ok ? 'not a record' : view.fault.message
      throw new LedgerError('bad_value', `cannot read a contract from ${inputName(file)}: ${why}`, {
        hint: 'Write the file by `causeway contract show CONTRACT --json`.',
      })
    }
    const manifest = jsonForm['manifest'] as ReadManifest
    manifests.set(String(jsonForm['address']), manifest)
    if (isJsonObject(jsonForm['instance'])) manifests.set(String(jsonForm['instance']['artifact']), manifest)
  }
  return manifests
}

/** Contracts that instructions call without a known manifest; their arguments are shown as bytes. */
export const withoutManifest = (
  jsonForms: readonly Json[],
  manifests: KnownContracts['manifests'],
): readonly string[] => [
  ...new Set(
    bodiesOf(jsonForms, 'ContractCall').flatMap(({ address }) =>
      manifests.has(String(address)) ? [] : [String(address)],
    ),
  ),
]
