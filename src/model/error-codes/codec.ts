/** Owns the error codes of the codec: bytes or JSON that do not match the schema. */
import { answered, type ErrorDef, EXIT, row } from '../error-row.js'

export const codecErrors = {
  truncated: row(
    400,
    EXIT.badInput,
    'The bytes end before the value is complete.',
    'Send the whole record; `causeway codec decode` shows where it ends.',
  ),
  trailing_bytes: row(400, EXIT.badInput, 'Bytes follow the value.', 'Send exactly one record.'),
  non_canonical: row(
    400,
    EXIT.badInput,
    'The bytes are not the canonical encoding of their value.',
    'The codec has exactly one encoding for each value; encode it again with this release.',
  ),
  bad_tag: row(
    400,
    EXIT.badInput,
    'The type has no variant with this name or number.',
    'JSON: use a name listed in the message. Bytes: encode them with a release that has the same schema hash.',
  ),
  bad_utf8: row(400, EXIT.badInput, 'A text is not UTF-8.', 'Send UTF-8.'),
  out_of_bounds: row(
    400,
    EXIT.badInput,
    'A value exceeds the bounds of its type.',
    'docs/generated/limits.md has the bounds.',
  ),
  too_deep: row(400, EXIT.badInput, 'Values are nested deeper than the codec supports.', 'Send a flatter value.'),
  bad_value: row(
    400,
    EXIT.badInput,
    'The type of a field does not allow its value.',
    'Fix the field given in the message.',
  ),
  bad_magic: row(
    400,
    EXIT.badInput,
    'The body is not a Causeway frame.',
    'Its 32-byte header is described in docs/reference/codec.md; JSON needs `Content-Type: application/json`.',
  ),
  unsupported_version: row(
    400,
    EXIT.badInput,
    'This release does not support the version of the frame.',
    'Use a client of the same release: compare GET /v1/node/capabilities.',
  ),
  schema_mismatch: row(
    400,
    EXIT.badInput,
    'The body was encoded for another record or release.',
    'Compare the versions at GET /v1/node/capabilities.',
  ),
  bad_checksum: row(400, EXIT.badInput, 'The bytes of a frame do not match its checksum.', 'Send it again.'),
  malformed_json: row(400, EXIT.badInput, 'The text is not valid JSON.', 'Fix the JSON at the given line and column.'),
  unknown_field: row(400, EXIT.badInput, 'A JSON object has an unknown field.', 'Remove it, or correct its name.'),
  duplicate_field: row(
    400,
    EXIT.badInput,
    'A JSON object or a query string contains a field twice.',
    'Give the field once.',
  ),
  missing_field: row(400, EXIT.badInput, 'A JSON object lacks a required field.', 'Add the field.'),
  unknown_instruction: answered(
    42,
    400,
    EXIT.badInput,
    'The active ABI has no such instruction.',
    'Compare `abi_version` at GET /v1/node/capabilities.',
  ),
} as const satisfies Record<string, ErrorDef>
