/** Owns manifests in files: relays by their addresses or aliases. */
import type { Json } from '../../codec/index.js'
import { readJsonInput } from '../input/json.js'

/** The manifest of a file, aliases resolved; its shape is for the ledger to judge. */
export async function manifestTwin(path: string, account: (text: string) => Promise<string>): Promise<Json> {
  const manifest = (await readJsonInput(path)) as { readonly hops?: readonly Record<string, Json>[] }
  if (!Array.isArray(manifest.hops)) return manifest as Json
  const hops: Json[] = []
  for (const hop of manifest.hops as readonly Record<string, Json>[]) {
    hops.push(typeof hop.relay_id === 'string' ? { ...hop, relay_id: await account(hop.relay_id) } : hop)
  }
  return { ...manifest, hops } as Json
}
