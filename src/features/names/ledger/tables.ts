/** Owns the tables of names; the account of a name is in the table `aliases` of the kernel. */
import { aliasKey } from '../../../ledger/tables.js'
import type { NameId } from '../../../model/index.js'
import type { TableDef } from '../../../state/index.js'
import { NAME_TABLES, type NameRow, nameRow } from '../schema/records.js'

export const names: TableDef<NameId, NameRow> = {
  id: NAME_TABLES.names,
  name: 'names',
  bound: {
    holds: '32 records of 4 KiB together',
    filledBy: 'RegisterAccount, SetLabel, RegisterName, CreateSubname',
    atBound: 'leaves with its label, RemoveSubname or PruneName',
  },
  key: aliasKey,
  value: nameRow,
}
