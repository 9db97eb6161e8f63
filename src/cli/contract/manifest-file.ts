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
    const twin = await readJsonInput(file)
    const view = instanceView.fromJson(twin, codec)
    if (!view.ok || !isJsonObject(twin)) {
      const why = view.ok ? 'not a record' : view.fault.message
      throw new LedgerError('bad_value', `cannot read a contract from ${inputName(file)}: ${why}`, {
        hint: 'Write the file by `causeway contract show CONTRACT --json`.',
      })
    }
    const manifest = twin['manifest'] as ReadManifest
    manifests.set(String(twin['address']), manifest)
    if (isJsonObject(twin['instance'])) manifests.set(String(twin['instance']['artifact']), manifest)
  }
  return manifests
}

/** Contracts called by instructions without a known manifest, whose arguments are shown as bytes. */
export const withoutManifest = (twins: readonly Json[], manifests: KnownContracts['manifests']): readonly string[] => [
  ...new Set(
    bodiesOf(twins, 'ContractCall').flatMap(({ address }) => (manifests.has(String(address)) ? [] : [String(address)])),
  ),
]
