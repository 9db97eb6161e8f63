/**
 * Owns the names of lane segments and merge logs on disk, and moves them when the catalogue changes.
 *
 * `blocks/lane_<NNN>_<alias>/` and `merge_ledger/lane_<NNN>_<alias>_merge.log`; those of lanes that left the catalogue
 * stand under `retired/`. The lane number finds them, so a relabel is a rename, and a crash anywhere is repaired by
 * running the same steps again. Nothing is ever deleted. Folders of lanes of the catalogue are provided at once.
 */
import { mkdir, readdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { LedgerError } from '../model/index.js'
import { codeOf, syncFolder } from './files.js'

/** A lane of the catalogue as its files are named. */
export interface LaneName {
  /** 0 to 999. */
  readonly id: number
  readonly alias: string
}

/** File names have 255 bytes on every system; an alias is shortened before. */
const SLUG_MAX_CHARS = 128

/** Alias as part of a file name: lower-case letters and digits, every other run one underscore. */
export function laneSlug(lane: LaneName): string {
  const slug = lane.alias
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .slice(0, SLUG_MAX_CHARS)
    .replace(/^_+|_+$/g, '')
  return slug === '' ? `lane${lane.id}` : slug
}

const prefixOf = (id: number): string => `lane_${String(id).padStart(3, '0')}_`

/** `lane_<NNN>_<alias>`. */
export const laneFolderName = (lane: LaneName): string => prefixOf(lane.id) + laneSlug(lane)
/** `lane_<NNN>_<alias>_merge.log`. */
export const mergeLogName = (lane: LaneName): string => `${laneFolderName(lane)}_merge.log`

/** Where the files of one lane are; a path may name what does not exist yet. */
export interface LanePaths {
  readonly blocks: string
  readonly mergeLog: string
  /** In the catalogue: may be appended to. */
  readonly active: boolean
}

/** Brings the files of all lanes to where the catalogue wants them and says where they are. */
export async function arrangeLanes(folder: string, lanes: readonly LaneName[]): Promise<Map<number, LanePaths>> {
  await mkdir(join(folder, 'merge_ledger'), { recursive: true, mode: 0o700 })
  const blocks = await arrange(folder, 'blocks', new Map(lanes.map((lane) => [lane.id, laneFolderName(lane)])))
  const logs = await arrange(folder, 'merge_ledger', new Map(lanes.map((lane) => [lane.id, mergeLogName(lane)])))
  const paths = new Map<number, LanePaths>()
  const active = new Set(lanes.map((lane) => lane.id))
  let provisioned = false
  for (const id of active) {
    const made = await mkdir(blocks.get(id) as string, { recursive: true, mode: 0o700 })
    provisioned ||= made !== undefined
  }
  if (provisioned) {
    await syncFolder(join(folder, 'blocks'))
    await syncFolder(folder)
  }
  for (const id of new Set([...active, ...blocks.keys(), ...logs.keys()])) {
    const missing = join(folder, 'retired', prefixOf(id))
    paths.set(id, { blocks: blocks.get(id) ?? missing, mergeLog: logs.get(id) ?? missing, active: active.has(id) })
  }
  return paths
}

/** One kind of entry: finds each lane's one by its number, renames it, and gives the paths. */
async function arrange(
  folder: string,
  kind: 'blocks' | 'merge_ledger',
  wanted: ReadonlyMap<number, string>,
): Promise<Map<number, string>> {
  const home = join(folder, kind)
  const retired = join(folder, 'retired', kind)
  const found = new Map<number, string>()
  for (const parent of [home, retired]) {
    for (const name of await entriesOf(parent)) {
      const match = /^lane_(\d{3})_/.exec(name)
      if (match === null) continue
      const id = Number(match[1])
      const path = join(parent, name)
      const other = found.get(id)
      if (other !== undefined) {
        throw new LedgerError('storage_corrupt', `lane ${id} has two places on disk: ${other} and ${path}`, {
          hint: 'Keep the one that holds its blocks and move the other away.',
          details: { reason: 'lane_dir_conflict', lane: id, paths: [other, path] },
        })
      }
      found.set(id, path)
    }
  }
  const result = new Map([...wanted].map(([id, name]) => [id, join(home, name)] as const))
  for (const [id, path] of found) {
    const name = wanted.get(id)
    const target = name === undefined ? join(retired, path.slice(dirname(path).length + 1)) : join(home, name)
    if (path !== target) await move(path, target)
    result.set(id, target)
  }
  return result
}

async function move(from: string, to: string): Promise<void> {
  const made = await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await rename(from, to)
  await syncFolder(dirname(to))
  await syncFolder(dirname(from))
  if (made !== undefined) await syncFolder(dirname(made))
}

async function entriesOf(path: string): Promise<string[]> {
  try {
    return (await readdir(path)).sort()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}
