import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { pairs } from '../../src/cli/terminal/output.js'
import type { Json } from '../../src/codec/index.js'

export default class TxDecode extends BaseCommand {
  static override description = `Show the content of a transaction: signed or not, as JSON or in the codec.
Verifies the signatures; no node is contacted. Exits 10 if a signature is invalid.`
  static override examples = [
    '<%= config.bin %> tx decode signed.bin',
    '<%= config.bin %> tx build pay.json --binary | <%= config.bin %> tx decode - --json',
  ]
  static override args = {
    file: Args.string({ description: 'transaction, or - for standard input', required: true, ignoreStdin: true }),
  }
  static override flags = {
    'address-prefix': Flags.string({ description: 'prefix of addresses, for codec bytes', default: 'cw' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TxDecode)
    const { readTransaction } = await import('../../src/cli/transaction/file.js')
    const { decodedView } = await import('../../src/cli/transaction/decode.js')
    const { EXIT } = await import('../../src/model/errors.js')
    const { InstructionReader } = await import('../../src/cli/transaction/instructions.js')
    const read = await readTransaction(args.file, flags['address-prefix'])
    const view = await decodedView(read)
    const reader = new InstructionReader(read.codec)
    const linesOf = (jsonForm: Json): readonly string[] =>
      this.out.verbose ? [JSON.stringify(jsonForm)] : reader.lines(jsonForm)
    const { hash, signed_hash: signedHash, expires, signatures, payload } = view
    const text = pairs([
      ['hash', hash],
      ['signed hash', signedHash ?? undefined],
      ['chain', payload.chain],
      ['authority', payload.authority],
      ['expires', expires],
      ...signatures.map(({ signer, valid }) => ['signed by', `${signer} ${valid ? '(valid)' : '(INVALID)'}`] as const),
      ...view.instructions.flatMap((one, at) =>
        linesOf(one).map((line, row) => [row === 0 ? `instruction ${at}` : '', line] as const),
      ),
    ])
    this.out.result(view, text)
    if (signatures.some(({ valid }) => !valid)) this.exitWith(EXIT.checkFailed)
  }
}
