/** Imports that run or have ended: the outcome of each file, until it is dismissed. */

export type FileState = "waiting" | "sending" | "sent" | "imported" | "duplicate" | "refused";

export interface ImportedFile {
  path: string;
  state: FileState;
  take: string;
  why: string;
}

export interface ImportRun {
  batch: string;
  files: ImportedFile[];
  leftOut: number; // files in folders that are no recordings
  state: "sending" | "reading" | "done" | "failed" | "stopped";
  problem: string;
  job: number | null;
}

class Imports {
  runs = $state.raw<ImportRun[]>([]);

  add(run: ImportRun): void {
    this.runs = [...this.runs, run];
  }

  change(batch: string, changes: Partial<ImportRun>): void {
    this.runs = this.runs.map((run) => (run.batch === batch ? { ...run, ...changes } : run));
  }

  changeFiles(batch: string, changes: ReadonlyMap<string, Partial<ImportedFile>>): void {
    if (changes.size === 0) return;
    this.runs = this.runs.map((run) =>
      run.batch === batch
        ? { ...run, files: run.files.map((file) => (changes.has(file.path) ? { ...file, ...changes.get(file.path) } : file)) }
        : run,
    );
  }

  changeFile(batch: string, path: string, changes: Partial<ImportedFile>): void {
    this.changeFiles(batch, new Map([[path, changes]]));
  }

  find(batch: string): ImportRun | undefined {
    return this.runs.find((run) => run.batch === batch);
  }

  dismiss(batch: string): void {
    this.runs = this.runs.filter((run) => run.batch !== batch);
  }
}

export const imports = new Imports();

/** "3 imported, 1 already there, 2 refused" */
export function summary(run: ImportRun): string {
  const number = (state: FileState): number => run.files.filter((file) => file.state === state).length;
  const parts = [
    [number("imported"), "imported"],
    [number("duplicate"), "already there"],
    [number("refused"), "refused"],
  ] as const;
  const counts = parts.filter(([many]) => many > 0).map(([many, outcome]) => `${many} ${outcome}`);
  return counts.join(", ") || "nothing imported";
}
