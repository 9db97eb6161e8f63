import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../src/cli/command/base-command.js'
import { pairs } from '../../src/cli/command/output.js'

export default class TxDecode extends BaseCommand {
  static override description = `Show the content of a transaction: signed or not, as JSON or in the codec.
Verifies the signatures; no node is contacted. Exits 10 when a signature is invalid.`
  static override examples = [
    '<%= config.bin %> tx decode signed.bin',
    '<%= config.bin %> tx build pay.json --binary | <%= config.bin %> tx decode - --json',
  ]
  static override args = {
    file: Args.string({ description: 'transaction, or - for standard input', required: true, ignoreStdin: true }),
  }
  static override flags = {
    'address-prefix': Flags.string({ description: 'human part of addresses, for codec bytes', default: 'cw' }),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(TxDecode)
    const { readTransaction } = await import('../../src/cli/transaction/file.js')
    const { decodedView } = await import('../../src/cli/transaction/decode.js')
    const { EXIT } = await import('../../src/model/errors.js')
    const view = await decodedView(await readTransaction(args.file, flags['address-prefix']))
    const { hash, signed_hash: signedHash, expires, signatures, payload } = view
    const text = pairs([
      ['hash', hash],
      ['signed hash', signedHash ?? undefined],
      ['chain', payload.chain],
      ['authority', payload.authority],
      ['expires', expires],
      ...signatures.map(({ signer, valid }) => ['signed by', `${signer} ${valid ? '(valid)' : '(INVALID)'}`] as const),
      ...view.instructions.map((one, at) => [`instruction ${at}`, JSON.stringify(one)] as const),
    ])
    this.out.result(view, text)
    if (signatures.some(({ valid }) => !valid)) this.exitWith(EXIT.checkFailed)
  }
}
