import { Flags } from '@oclif/core'
import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { usageError } from '../../../src/cli/terminal/failure.js'
import { LedgerError } from '../../../src/model/errors.js'

export default class KeyPopVerify extends BaseCommand {
  static override description = 'Check a proof of possession against its BLS key. Exits 10 if it does not match.'
  static override examples = ['<%= config.bin %> key pop verify --public-key ea0130... --pop 8a3f...']
  static override flags = {
    'public-key': Flags.string({ description: 'BLS public key (ea0130...)', required: true }),
    pop: Flags.string({ description: 'proof: 192 hex digits', required: true }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(KeyPopVerify)
    const { parsePublicKey } = await import('../../../src/crypto/keys.js')
    const key = parsePublicKey(flags['public-key'])
    if (key === undefined || key.algorithm !== 'bls') throw usageError('--public-key: expected a BLS key (ea0130...)')
    if (!/^[0-9a-fA-F]{192}$/.test(flags.pop)) throw usageError('--pop: expected 192 hex digits')
    const { verifyPop } = await import('../../../src/crypto/bls-pop.js')
    if (!verifyPop(key.bytes, Buffer.from(flags.pop, 'hex'))) {
      throw new LedgerError('check_failed', 'the proof does not belong to the key')
    }
    this.out.result({ public_key: flags['public-key'], valid: true }, 'valid')
  }
}
