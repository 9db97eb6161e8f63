/** Owns the standalone check of a snapshot file: it is loaded into a temporary state. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LevelBackend } from '../../state/index.js'
import { type LoadedSnapshot, type LoadOptions, loadSnapshot } from './load.js'

/**
 * Verify a snapshot like a restore, with every certificate in it, and leave no files. Throws `snapshot_invalid`,
 * `genesis_mismatch`.
 */
export async function verifySnapshot(
  options: Omit<LoadOptions, 'backend' | 'certificates'>,
  workDir = tmpdir(),
): Promise<LoadedSnapshot> {
  const scratch = await mkdtemp(join(workDir, 'causeway-snapshot-'))
  try {
    const backend = await LevelBackend.open(join(scratch, 'state'))
    try {
      return await loadSnapshot({ ...options, certificates: 'every', backend })
    } finally {
      await backend.close()
    }
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
