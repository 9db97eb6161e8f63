import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { codecFlags } from '../../src/cli/command/flags.js'
import { pairs } from '../../src/cli/terminal/output.js'

export default class NameVerify extends BaseCommand {
  static override description = `Check a proof of a name, offline. Only the genesis hash is trusted.
Exits 10 if the proof is invalid, too old, or does not reach the requested height.`
  static override examples = [
    '<%= config.bin %> name resolve pay.desk@bank --proof p.json',
    '<%= config.bin %> name verify p.json --genesis-hash 5f0c… --max-age 60s',
  ]
  static override args = {
    file: Args.string({ description: 'proof as JSON, or - for standard input', required: true, ignoreStdin: true }),
  }
  static override flags = {
    'genesis-hash': Flags.string({ description: 'trusted genesis block hash', required: true }),
    'max-age': Flags.string({ description: 'greatest age of the block, such as 60s (default: any)' }),
    ...codecFlags,
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NameVerify)
    const { usageError } = await import('../../src/cli/terminal/failure.js')
    const { parseDuration } = await import('../../src/cli/input/duration.js')
    const { checkNameProof, provenFields } = await import('../../src/cli/names/proof.js')
    const { 'genesis-hash': digits, 'max-age': age, 'address-prefix': addressPrefix } = flags
    if (!/^[0-9a-f]{64}$/i.test(digits)) throw usageError('--genesis-hash: expected 64 hex digits')
    const maxAgeMs = age === undefined ? undefined : parseDuration(age, '--max-age')
    const trust = { genesisHash: Buffer.from(digits, 'hex'), addressPrefix, maxAgeMs }
    const found = await checkNameProof(args.file, trust)
    this.out.result({ ...found, valid: true }, pairs(provenFields(found)))
  }
}
