import { Args } from '@oclif/core'
import { writeFlags } from '../../../src/cli/command/flags.js'
import { LedgerCommand } from '../../../src/cli/ledger/command.js'
import { instructions as lanes } from '../../../src/features/lanes/schema/instructions.js'

export default class LaneEnvelopeAccept extends LedgerCommand {
  static override description =
    `Submit the relay envelope of another chain to this one, which records its settlement once.
Any account may do this; the committee of its height must be trusted: by \`lane anchor set\`, or by the envelope of the height before.`
  static override examples = [
    '<%= config.bin %> lane envelope accept settlement.envelope --dry-run --key-file alice.json',
    '<%= config.bin %> lane envelope accept settlement.envelope --key-file alice.json',
  ]
  static override args = {
    file: Args.string({ description: 'envelope, or - for standard input', required: true, ignoreStdin: true }),
  }
  static override flags = { ...writeFlags }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(LaneEnvelopeAccept)
    const { envelopeJson, readEnvelope } = await import('../../../src/cli/lane/envelope.js')
    const envelope = await readEnvelope(args.file)
    await this.send(flags, ({ codec, read }) => [
      read(lanes.acceptRelayEnvelope, { envelope: envelopeJson(envelope, codec) }),
    ])
  }
}
