import { Flags } from '@oclif/core'
import { callArg } from '../../../src/cli/conference/forms.js'
import { ProveCommand, proveHelp, submitterFlag } from '../../../src/cli/conference/prove.js'

export default class ConferenceProveUsage extends ProveCommand {
  static override description = proveHelp('the usage of a segment')
  static override examples = [
    '<%= config.bin %> conference prove usage bank:board --submitter carol@bank --key-file member.json --duration-ms 60000 > usage.json',
  ]
  static override args = callArg
  static override flags = {
    ...submitterFlag,
    'duration-ms': Flags.integer({ description: 'duration in ms', required: true, min: 1 }),
    'billed-gas': Flags.integer({ description: 'billed gas', default: 0, min: 0 }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ConferenceProveUsage)
    const { 'duration-ms': durationMs, 'billed-gas': billedGas } = flags
    await this.prove(flags, args.call, (prover, by) => prover.usage(by, BigInt(durationMs), BigInt(billedGas)))
  }
}
