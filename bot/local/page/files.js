// Files that the player sends.

export const MAX_FILE_BYTES = 500_000;

/** Return the name of a file and its bytes, encoded for the server. */
export async function encodeFile(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const data = btoa(bytes.reduce((binary, byte) => binary + String.fromCharCode(byte), ""));
  return { name: file.name, data };
}
