import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { codecFlags } from '../../src/cli/command/flags.js'

export default class CodecDecode extends BaseCommand {
  static override description = `Decode canonical bytes, raw or hexadecimal, to the JSON form of their record.
A frame contains its record type; bare bytes need --type. No node is contacted.`
  static override examples = [
    '<%= config.bin %> codec decode body.bin',
    '<%= config.bin %> codec decode payload.hex --type TransactionPayload --json',
  ]
  static override args = {
    file: Args.string({
      description: 'bytes or hexadecimal, or - for standard input',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    ...codecFlags,
    type: Flags.string({ description: 'name of the record: `codec schema` lists them' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(CodecDecode)
    const { bytesOf, codecType, decodeToJson } = await import('../../src/cli/chain/codec-types.js')
    const { readInput } = await import('../../src/cli/input/input.js')
    const { clientCodec } = await import('../../src/features/composed.js')
    const type = flags.type === undefined ? undefined : codecType(flags.type)
    const view = decodeToJson(bytesOf(await readInput(args.file)), type, clientCodec(flags['address-prefix']))
    this.out.result(view, JSON.stringify(view.value, null, 2))
  }
}
