/** Importing what was dropped or chosen. The files are read from the drop before `before` runs, because a drop lets go of them. */
export async function importFiles(_items: DataTransfer | FileList, _before?: () => Promise<unknown>): Promise<void> {
  throw new Error("importing is not there yet");
}
