import { describe, expect, it } from 'vitest'
import {
  formatAmount,
  parseAmount,
  parseDecimal,
  readDecimal,
  sameAmount,
} from '../../../src/features/iso20022/message/values/amount.js'
import { canonicalBic, checkBic } from '../../../src/features/iso20022/message/values/bic.js'
import { currencies, currencyScale } from '../../../src/features/iso20022/message/values/currency.js'
import { checkDate, checkDateTime, checkTime, daysBetween } from '../../../src/features/iso20022/message/values/date.js'
import { canonicalIban, checkIban, failsDomesticCheck } from '../../../src/features/iso20022/message/values/iban.js'
import { checkMessageId, checkUetr } from '../../../src/features/iso20022/message/values/identifier.js'
import { leafType } from '../../../src/features/iso20022/message/values/leaf.js'

const code = (problem: { code: string } | undefined) => problem?.code ?? 'ok'
const amount = (text: string, currency: string) => {
  const result = parseAmount(text, currency)
  return result.ok ? formatAmount(result.amount) : result.problem.code
}

describe('amounts', () => {
  it('are converted exactly to minor units of the currency', () => {
    expect(parseAmount('33.95', 'EUR')).toEqual({ ok: true, amount: { mantissa: 3395n, scale: 2 } })
    expect(parseAmount('100.1', 'EUR')).toEqual({ ok: true, amount: { mantissa: 10010n, scale: 2 } })
    expect(parseAmount('45000000', 'JPY')).toEqual({ ok: true, amount: { mantissa: 45000000n, scale: 0 } })
    expect(parseAmount('9007199254740993.01', 'USD')).toEqual({
      ok: true,
      amount: { mantissa: 900719925474099301n, scale: 2 },
    })
    expect(parseAmount('0.001', 'KWD')).toEqual({ ok: true, amount: { mantissa: 1n, scale: 3 } })
  })

  it('may have excess zeros, but not excess digits', () => {
    expect([amount('100.00', 'JPY'), amount('1.10000', 'EUR'), amount('007.50', 'EUR')]).toEqual([
      '100',
      '1.10',
      '7.50',
    ])
    expect([amount('100.50', 'JPY'), amount('1.005', 'EUR'), amount('1.1255', 'BHD')]).toEqual(
      Array(3).fill('amount_scale'),
    )
  })

  it('may contain only digits and one decimal point', () => {
    expect(amount(' 5.00\n', 'EUR')).toBe('5.00')
    for (const bad of [
      '',
      ' ',
      '+1',
      '-1',
      '1,5',
      '1e5',
      '0x1F',
      '.5',
      '1.',
      '1 000',
      '1.2.3',
      '１２',
      '1.123456',
      '1'.repeat(19),
      '12345678901234.12345',
      'NaN',
    ]) {
      expect([bad, amount(bad, 'EUR')]).toEqual([bad, 'amount_format'])
    }
  })

  it('require a currency that can be paid', () => {
    expect([amount('1', 'XAU'), amount('1', 'XXX'), amount('1', 'HRK'), amount('1', 'eur'), amount('1', '')]).toEqual(
      Array(5).fill('currency_unknown'),
    )
  })

  it('are equal if their values are equal', () => {
    const read = (text: string) => readDecimal(text) as { mantissa: bigint; scale: number }
    expect(sameAmount(read('1.50'), read('1.5'))).toBe(true)
    expect(sameAmount(read('1.50'), read('1.05'))).toBe(false)
    expect([readDecimal('x'), readDecimal('.'), readDecimal('')]).toEqual([undefined, undefined, undefined])
    expect(parseDecimal('0.5')).toEqual({ ok: true, amount: { mantissa: 5n, scale: 1 } })
  })
})

describe('currencies', () => {
  it('have the number of decimals from ISO 4217, not from display rules', () => {
    for (const two of ['HUF', 'IDR', 'AFN', 'PKR', 'EUR', 'SLE', 'ZWG', 'XCG', 'XAD'])
      expect([two, currencyScale(two)]).toEqual([two, 2])
    for (const none of ['JPY', 'KRW', 'ISK', 'CLP', 'UYI', 'XAF']) expect(currencyScale(none)).toBe(0)
    for (const three of ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']) expect(currencyScale(three)).toBe(3)
    for (const four of ['CLF', 'UYW']) expect(currencyScale(four)).toBe(4)
    for (const gone of ['HRK', 'SLL', 'ZWL', 'DEM', 'toString']) expect(currencyScale(gone)).toBeUndefined()
  })

  it('are listed once', () => {
    const codes = currencies().map((row) => row.code)
    expect(new Set(codes).size).toBe(codes.length)
    expect(codes.length).toBeGreaterThan(160)
  })
})

describe('the IBAN check', () => {
  it('accepts registered accounts', () => {
    for (const iban of [
      'DE75512108001245126199',
      'GB33BUKB20201555555555',
      'NO9386011117947',
      'MT84MALT011000012345MTLCAST001S',
      'BE68539007547034',
    ]) {
      expect([iban, code(checkIban(iban))]).toEqual([iban, 'ok'])
    }
    expect(code(checkIban('MT84MALT011000012345mtlcast001s'))).toBe('ok')
    expect(canonicalIban('mt84 MALT 0110 0001 2345 mtlcast001s')).toBe('MT84MALT011000012345MTLCAST001S')
  })

  it.each([
    ['DE75512108001245126198', 'iban_checksum'],
    ['DE0537040044053201300A', 'iban_structure'],
    ['GB57NWBK6016133192681A', 'iban_structure'],
    ['NL77AB1A0417164300', 'iban_structure'],
    ['DZ580002100001113000000570', 'iban_country'],
    ['DE57512108001245126199', 'iban_checksum'],
    ['DE7551210800124512619', 'iban_length'],
    ['ZZ75512108001245126199', 'iban_country'],
    ['US75512108001245126199', 'iban_country'],
    ['de75512108001245126199', 'iban_format'],
    ['DE75 5121 0800 1245 1261 99', 'iban_format'],
    ['DE7551210800124512619\u0417', 'iban_format'],
    ['DE75\u200b512108001245126199', 'iban_format'],
    ['\uff24E75512108001245126199', 'iban_format'],
    ['', 'iban_format'],
  ])('refuses %s', (iban, expected) => {
    expect(code(checkIban(iban))).toBe(expected)
  })

  it('rejects check digits that are valid modulo 97 but not standard', () => {
    // 00, 01 and 99 are congruent to 97, 98 and 02, which the standard generates.
    const withDigits = (digits: string) => `DE${digits}`
    const bban = (wanted: number) => {
      for (let number = 0n; ; number += 1n) {
        const account = number.toString().padStart(18, '0')
        if (98n - (BigInt(`${account}131400`) % 97n) === BigInt(wanted)) return account
      }
    }
    expect(code(checkIban(withDigits('97') + bban(97)))).toBe('ok')
    expect(code(checkIban(withDigits('00') + bban(97)))).toBe('iban_checksum')
    expect(code(checkIban(withDigits('01') + bban(98)))).toBe('iban_checksum')
    expect(code(checkIban(withDigits('99') + bban(2)))).toBe('iban_checksum')
  })

  it('accepts wrong domestic check digits, but detects them', () => {
    expect(code(checkIban('BE62510007547061'))).toBe('ok')
    expect(failsDomesticCheck('BE62510007547061')).toBe(false)
    expect(code(checkIban('BE35510007547062'))).toBe('ok')
    expect(failsDomesticCheck('BE35510007547062')).toBe(true)
  })
})

describe('the BIC check', () => {
  it('follows ISO 9362:2014: digits in the prefix, a real country', () => {
    for (const bic of ['DEUTDEFF', 'DEUTDEFFXXX', '6P9YGUDF', 'E097AEXXLON', 'NCBVXKPR'])
      expect([bic, code(checkBic(bic))]).toEqual([bic, 'ok'])
    expect(canonicalBic('DEUTDEFFXXX')).toBe('DEUTDEFF')
    expect(canonicalBic('DEUTDEFF500')).toBe('DEUTDEFF500')
  })

  it.each([
    ['DEUTQQFF', 'bic_country'],
    ['deutdeff', 'bic_format'],
    ['DEUTDEF', 'bic_format'],
    ['DEUTDEFF5', 'bic_format'],
    ['DEUTDEFF5000', 'bic_format'],
    ['DEUT1EFF', 'bic_format'],
    [' DEUTDEFF', 'bic_format'],
    ['', 'bic_format'],
  ])('refuses %s', (bic, expected) => {
    expect(code(checkBic(bic))).toBe(expected)
  })
})

describe('dates', () => {
  it('must be calendar days without a time zone', () => {
    for (const date of ['2024-02-29', '2000-02-29', '2026-12-31', ' 2026-01-01 ', '9999-12-31'])
      expect([date, code(checkDate(date))]).toEqual([date, 'ok'])
    for (const date of [
      '2026-02-29',
      '1900-02-29',
      '2026-04-31',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
      '0000-01-01',
    ])
      expect(code(checkDate(date))).toBe('date_calendar')
    for (const date of ['2026-03-02Z', '2026-03-02+01:00', '26-03-02', '2026/03/02', '20260302', '', '2026-3-2'])
      expect(code(checkDate(date))).toBe('date_format')
  })

  it('may have a time with any fraction and an optional offset', () => {
    for (const text of [
      '2026-03-01T10:00:00',
      '2026-03-01T10:00:00.1234567Z',
      '9999-12-31T23:59:59.123456789012+14:00',
      '2026-03-01T24:00:00-00:00',
    ]) {
      expect([text, code(checkDateTime(text))]).toEqual([text, 'ok'])
    }
    for (const text of [
      '2026-03-01',
      '2026-03-01 10:00:00',
      '2026-03-01T10:00',
      '2026-03-01T10:00:00.Z',
      '2026-03-01T10:00:00z',
    ])
      expect(code(checkDateTime(text))).toBe('datetime_format')
    expect([
      code(checkTime('25:00:00')),
      code(checkTime('24:00:01')),
      code(checkTime('10:60:00')),
      code(checkTime('10:00:00+15:00')),
    ]).toEqual(Array(4).fill('time_clock'))
    expect(code(checkDateTime('2026-02-30T10:00:00Z'))).toBe('date_calendar')
  })

  it('have a difference in whole days', () => {
    expect([
      daysBetween('2026-03-01', '2026-03-01'),
      daysBetween('2026-02-28', '2026-03-01'),
      daysBetween('2026-03-01', '2025-12-31'),
    ]).toEqual([0, 1, -60])
  })
})

describe('identifiers', () => {
  it('accept the ISO character set', () => {
    for (const id of ['M', "A/B-C?D:E(F).G,H'I+J K", '0'.repeat(35), '...', 'a/...', '.a/b'])
      expect([id, code(checkMessageId(id))]).toEqual([id, 'ok'])
  })

  it.each([
    ['', 'message_id_empty'],
    ['0'.repeat(36), 'message_id_length'],
    ['a_b', 'message_id_characters'],
    ['a\tb', 'message_id_characters'],
    ['\u0410', 'message_id_characters'],
    ['a%2Fb', 'message_id_characters'],
    ['/a', 'message_id_slash'],
    ['a/', 'message_id_slash'],
    ['a//b', 'message_id_slash'],
    ['..', 'message_id_segment'],
    ['a/../b', 'message_id_segment'],
    ['a/.', 'message_id_segment'],
    [' a', 'message_id_blank'],
  ])('refuse %j', (id, expected) => {
    expect(code(checkMessageId(id))).toBe(expected)
  })

  it('include the UETR', () => {
    expect(code(checkUetr('8f0c7d7e-58a1-4c3f-9b6e-3f2f6c1d2e4a'))).toBe('ok')
    expect(checkUetr('8F0C7D7E-58A1-4C3F-9B6E-3F2F6C1D2E4A')?.hint).toBe('Use lower case.')
    for (const bad of ['8f0c7d7e-58a1-1c3f-9b6e-3f2f6c1d2e4a', '8f0c7d7e-58a1-4c3f-cb6e-3f2f6c1d2e4a', ''])
      expect(code(checkUetr(bad))).toBe('uetr_format')
  })
})

describe('value types in structure definitions', () => {
  it('count characters instead of UTF-16 units', () => {
    expect(leafType('text4')?.check('\u{1f600}\u{1f600}\u{1f600}\u{1f600}')).toBeUndefined()
    expect(code(leafType('text4')?.check('12345'))).toBe('text_length')
    expect([code(leafType('id35')?.check('')), leafType('nothing'), leafType('constructor')]).toEqual([
      'value_missing',
      undefined,
      undefined,
    ])
  })

  it('limit the number of digits of a decimal', () => {
    const number = leafType('number')
    for (const good of ['0', '-1.5', '000001', '.5', '5.', '123456789012345678'])
      expect([good, number?.check(good)]).toEqual([good, undefined])
    for (const bad of ['', '.', '1e5', '1234567890123456789', '--1'])
      expect([bad, code(number?.check(bad))]).toEqual([bad, 'decimal_format'])
  })
})
