import { describe, expect, it } from 'vitest'
import { canonicalName, nameOf, readableName } from '../../../src/cli/names/forms.js'

describe('a name argument of a command', () => {
  it('is converted to its canonical path, with its domain unchanged', async () => {
    expect(await nameOf('Desk@Bank')).toEqual({ label: 'desk', domain: 'Bank' })
    expect(await canonicalName('Pay.Treasury-Desk@bank')).toBe('pay.treasury-desk@bank')
    expect(await canonicalName('ｂｏｂ@bank')).toBe('bob@bank')
  })

  it.each(['desk', 'a..b@bank', 'боб@bank', 'phone:+4930'])('is refused with bad_name if it is %s', async (text) => {
    await expect(nameOf(text)).rejects.toMatchObject({ code: 'bad_name' })
  })

  it('is unchanged in reads if it is a label of release 0.1.0', async () => {
    expect(await readableName('Bob_1@bank')).toBe('Bob_1@bank')
    await expect(nameOf('Bob_1@bank')).rejects.toMatchObject({ code: 'bad_name' })
  })
})
