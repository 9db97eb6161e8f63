/** Owns the check of a module and its manifest without any node. */
import { LedgerError } from '../../model/errors.js'
import { checkModule, ModuleFault } from '../../vm/index.js'
import { artifactOf, readBuilt } from './project.js'

/** What the ledger would know a module by. Throws what it would refuse. */
export async function verifyBuilt(file: string) {
  const { codeHashOf } = await import('../../features/contracts/schema/records.js')
  const { CONTRACT_ABI_HASH } = await import('../../features/contracts/schema/abi.js')
  const built = await readBuilt(file)
  try {
    checkModule(built.code)
  } catch (error) {
    if (error instanceof ModuleFault) throw new LedgerError('validation_failed', `${file}: ${error.message}`)
    throw error
  }
  const codeHash = codeHashOf(built.code).toString('hex')
  const artifact = (await artifactOf(built)).toString('hex')
  if (built.manifest['code_hash'] !== codeHash) {
    throw new LedgerError('validation_failed', `${file}: the manifest beside it is of another module`)
  }
  if (built.manifest['abi_hash'] !== CONTRACT_ABI_HASH.toString('hex')) {
    throw new LedgerError('validation_failed', `${file}: it was built for another ABI of contracts`)
  }
  return { artifact, code_hash: codeHash, bytes: built.code.length, valid: true }
}
