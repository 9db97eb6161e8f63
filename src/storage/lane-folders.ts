/**
 * Owns the names of lane segments and merge logs on disk, and moves them when the catalogue changes.
 *
 * `blocks/lane_<NNN>_<alias>/` and `merge_ledger/lane_<NNN>_<alias>_merge.log`; files of retired lanes are under
 * `retired/`. They are found by the lane number, so a relabel is a rename, and a crash at any point is repaired by
 * running the same steps again. Nothing is ever deleted. Folders of lanes of the catalogue are created at once.
 */
import { mkdir, readdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '../base/thrown.js'
import { LedgerError } from '../model/index.js'
import { failPoint } from './fail-point.js'
import { syncFolder } from './files.js'

/** Lane of the catalogue with the name of its files. */
export interface LaneName {
  /** Lane number, 0 to 999. */
  readonly id: number
  readonly alias: string
}

/** Maximum length of an alias in a file name, which has at most 255 bytes. */
const SLUG_MAX_CHARS = 128

/** Alias as part of a file name: lower-case letters and digits, every other sequence replaced by one underscore. */
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

/** Paths of the files of one lane, which may not exist yet. */
export interface LanePaths {
  readonly blocks: string
  readonly mergeLog: string
  /** True if the lane is in the catalogue and accepts appends. */
  readonly active: boolean
}

/** Steps of an arrangement: before and after each change of the disk. */
export type LaneStep = (point: 220 | 221) => void

/** Layout of the files. */
export interface Arrangement {
  /** Active lanes of the catalogue; undefined: no file is moved. */
  readonly lanes: readonly LaneName[] | undefined
  /** Lanes with committed bytes. */
  readonly inUse: Iterable<number>
  /** Default: the fail points. */
  readonly onStep?: LaneStep
}

/**
 * Move the files of all lanes to the paths of the catalogue and return the paths.
 *
 * @throws LedgerError `storage_corrupt`, reason `lane_dir_conflict` or `lane_segment_missing`
 */
export async function arrangeLanes(folder: string, arrangement: Arrangement): Promise<Map<number, LanePaths>> {
  const { lanes, inUse, onStep = failPoint } = arrangement
  await mkdir(join(folder, 'merge_ledger'), { recursive: true, mode: 0o700 })
  const wanted = (nameOf: (lane: LaneName) => string): ReadonlyMap<number, string> | undefined =>
    lanes && new Map(lanes.map((lane) => [lane.id, nameOf(lane)]))
  // Both kinds are checked before anything moves, so that a fault leaves the files unchanged.
  const foundBlocks = await find(folder, 'blocks')
  const foundLogs = await find(folder, 'merge_ledger')
  for (const id of inUse) {
    for (const [kind, found] of [['blocks', foundBlocks] as const, ['merge_ledger', foundLogs] as const]) {
      if (!found.has(id)) throw missing(id, kind)
    }
  }
  const blocks = await arrange(folder, 'blocks', foundBlocks, wanted(laneFolderName), onStep)
  const logs = await arrange(folder, 'merge_ledger', foundLogs, wanted(mergeLogName), onStep)
  const paths = new Map<number, LanePaths>()
  const active = new Set(lanes?.map((lane) => lane.id) ?? [])
  for (const id of active) {
    const path = blocks.get(id) as string
    if (foundBlocks.has(id)) continue
    onStep(220)
    await mkdir(path, { recursive: true, mode: 0o700 })
    await syncFolder(join(folder, 'blocks'))
    await syncFolder(folder)
    onStep(221)
  }
  for (const id of new Set([...active, ...blocks.keys(), ...logs.keys()])) {
    const absent = join(folder, 'retired', prefixOf(id))
    paths.set(id, { blocks: blocks.get(id) ?? absent, mergeLog: logs.get(id) ?? absent, active: active.has(id) })
  }
  return paths
}

type Kind = 'blocks' | 'merge_ledger'
const homeOf = (folder: string, kind: Kind): string => join(folder, kind)
const retiredOf = (folder: string, kind: Kind): string => join(folder, 'retired', kind)

const missing = (lane: number, kind: Kind): LedgerError =>
  new LedgerError('storage_corrupt', `lane ${lane} has committed bytes, but its data in ${kind} is missing`, {
    details: { reason: 'lane_segment_missing', lane, kind },
  })

/** Entries of one kind, by lane number. */
async function find(folder: string, kind: Kind): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  for (const parent of [homeOf(folder, kind), retiredOf(folder, kind)]) {
    for (const name of await entriesOf(parent)) {
      const match = /^lane_(\d{3})_/.exec(name)
      if (match === null) continue
      const id = Number(match[1])
      const path = join(parent, name)
      const other = found.get(id)
      if (other !== undefined) {
        throw new LedgerError('storage_corrupt', `lane ${id} has two folders: ${other} and ${path}`, {
          hint: 'Keep the one that contains its blocks and move the other away.',
          details: { reason: 'lane_dir_conflict', lane: id, paths: [other, path] },
        })
      }
      found.set(id, path)
    }
  }
  return found
}

/** Rename entries whose path differs from the catalogue, and return the paths. */
async function arrange(
  folder: string,
  kind: Kind,
  found: ReadonlyMap<number, string>,
  wanted: ReadonlyMap<number, string> | undefined,
  onStep: LaneStep,
): Promise<Map<number, string>> {
  if (wanted === undefined) return new Map(found)
  const home = homeOf(folder, kind)
  const retired = retiredOf(folder, kind)
  const result = new Map([...wanted].map(([id, name]) => [id, join(home, name)] as const))
  for (const [id, path] of found) {
    const name = wanted.get(id)
    const target = name === undefined ? join(retired, path.slice(dirname(path).length + 1)) : join(home, name)
    if (path !== target) {
      onStep(220)
      await move(path, target)
      onStep(221)
    }
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
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}
