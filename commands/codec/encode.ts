import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { codecFlags } from '../../src/cli/command/flags.js'

export default class CodecEncode extends BaseCommand {
  static override description =
    `Encode the JSON form of a record to its canonical bytes: hexadecimal, or raw with --binary.
Each value has exactly one encoding. No node is contacted.`
  static override examples = [
    '<%= config.bin %> codec encode TransactionPayload payload.json',
    '<%= config.bin %> codec encode SignedTransaction signed.json --frame --binary > body.bin',
  ]
  static override args = {
    type: Args.string({
      description: 'name of the record: `codec schema` lists them',
      required: true,
      ignoreStdin: true,
    }),
    file: Args.string({ description: 'JSON, or - for standard input', required: true, ignoreStdin: true }),
  }
  static override flags = {
    ...codecFlags,
    frame: Flags.boolean({ description: 'prepend the 32-byte frame header' }),
    binary: Flags.boolean({ description: 'print raw bytes' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CodecEncode)
    const { codecType, encodeFromJson } = await import('../../src/cli/chain/codec-types.js')
    const { readJsonInput } = await import('../../src/cli/input/json.js')
    const { clientCodec } = await import('../../src/features/composed.js')
    const type = codecType(args.type)
    const bytes = encodeFromJson(
      await readJsonInput(args.file),
      type,
      flags.frame,
      clientCodec(flags['address-prefix']),
    )
    if (flags.binary) return this.out.raw(bytes)
    const hex = bytes.toString('hex')
    this.out.result({ type: type.name, bytes: bytes.length, hex }, hex)
  }
}
