/** Verdicts on many files: one that cannot be read ends nothing, remarks are told, and a UETR of two payments is one. */
import { expect, test } from 'vitest'
import { validateFiles, validityLines } from '../../../src/cli/iso/validate.js'
import { batchExit } from '../../../src/cli/terminal/batch-exit.js'
import { faultJson, parseMessage } from '../../../src/features/iso20022/message/index.js'
import { EXIT, LedgerError } from '../../../src/model/errors.js'
import { pacs008 } from '../../fixtures/iso20022/messages.js'

const FILES: Readonly<Record<string, string>> = {
  'a.xml': pacs008(),
  'b.xml': pacs008({ MsgId: '<MsgId>PAY-2</MsgId>' }),
  'bad.xml': pacs008({ MsgId: '' }),
}
const validate = (...files: readonly string[]) =>
  validateFiles(
    files,
    async (file) => {
      const text = FILES[file]
      if (text === undefined) throw new LedgerError('file_missing', `${file}: no such file`)
      return parseMessage(Buffer.from(text))
    },
    faultJson,
    false,
  )

test('a missing file has a separate result, in the order of the files', async () => {
  const found = await validate('a.xml', 'missing.xml', 'bad.xml')
  expect(found).toMatchObject([
    { file: 'a.xml', valid: true, exit: EXIT.ok },
    { file: 'missing.xml', valid: false, stage: 'unread', faults: [{ code: 'file_missing' }], exit: EXIT.config },
    { file: 'bad.xml', valid: false, stage: 'invalid', exit: EXIT.badInput },
  ])
  expect(validityLines(found)).toMatch(/missing\.xml:0:0: file_missing[\s\S]*1 of 3 valid$/)
  expect(batchExit(found)).toBe(EXIT.badInput)
  expect(batchExit(await validate('a.xml', 'missing.xml'))).toBe(EXIT.config)
  expect(batchExit(await validate('a.xml'))).toBe(EXIT.ok)
})

test('a second payment with the same UETR is listed with the file of the first, and stays valid', async () => {
  const found = await validate('a.xml', 'b.xml')
  expect(found.map(({ valid, warnings }) => [valid, warnings.map(({ code }) => code)])).toEqual([
    [true, []],
    [true, ['uetr_duplicate']],
  ])
  expect(validityLines(found)).toContain('b.xml:0:0: warning: uetr_duplicate PmtId/UETR')
  expect(validityLines(found)).toContain('a.xml has the same one')
})
