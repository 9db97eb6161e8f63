import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../../src/cli/command/base-command.js'
import { inputName, readInput } from '../../../src/cli/input/input.js'
import { pairs } from '../../../src/cli/terminal/output.js'
import { isoTime } from '../../../src/cli/text/figures.js'
import { LedgerError } from '../../../src/model/errors.js'

/** Bytes of a file: a directory of all banks of the world has some 10 MB. */
const FILE_MAX_BYTES = 256 * 1024 * 1024

export default class IsoRefdataLint extends BaseCommand {
  static override description = `Check a file of reference data as a node does, and print every fault with its position.
Files are {"version", "source", "fetched_at"?, "entries": [...]} of banks (bic), accounts (iban, or country and
bban_prefix; bic) or currencies (currency, minor_unit, asset_definition_id). Exits 4 if the file is refused.`
  static override examples = [
    '<%= config.bin %> iso refdata lint bic.json',
    '<%= config.bin %> iso refdata lint - --kind iban < iban.json',
  ]
  static override args = {
    file: Args.string({ description: 'file, or - for standard input', required: true, ignoreStdin: true }),
  }
  static override flags = {
    kind: Flags.option({
      options: ['bic', 'iban', 'currency'] as const,
      description: 'kind of the file (default: by its first entry)',
    })(),
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(IsoRefdataLint)
    const { guessKind, readDataset } = await import('../../../src/features/iso20022/refdata/dataset.js')
    const name = inputName(args.file)
    const bytes = await readInput(args.file, FILE_MAX_BYTES)
    const kind = flags.kind ?? guessKind(bytes) ?? 'bic'
    const result = readDataset(kind, bytes)
    if (!result.ok) {
      const lines = result.faults.map((one) => `  ${one.path || 'file'}: "${one.value}", expected ${one.expected}`)
      throw new LedgerError('bad_value', [`${name}: ${result.faults.length} faults`, ...lines].join('\n'), {
        details: { kind, faults: result.faults },
      })
    }
    const { version, source, entries, digest, fetchedAtMs } = result.dataset
    const fetched = fetchedAtMs === undefined ? undefined : isoTime(fetchedAtMs)
    this.out.result(
      { valid: true, kind, version, source, fetched_at: fetched ?? null, entries: entries.length, digest },
      pairs([
        ['valid', kind],
        ['version', version],
        ['source', source],
        ['fetched', fetched],
        ['entries', String(entries.length)],
        ['digest', digest],
      ]),
    )
  }
}
