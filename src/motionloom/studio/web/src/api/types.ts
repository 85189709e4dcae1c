// Made by `python -m motionloom.studio.server.client` from the server's messages and routes; do not edit.

/** In the frames [start, stop) of a take these labels hold exactly in these ranges. */
export interface AcceptLabels {
  take: string;
  labels: string[];
  start: number;
  stop: number;
  ranges: Record<string, ([number, number])[]>;
}

/** Labels that a person accepted, and what they replaced: all that undoing it needs. */
export interface Acceptance {
  take: string;
  labels: string[];
  start: number;
  stop: number;
  replaced: GivenLabel[];
  written: GivenLabel[];
  verified_before: VerifiedRange[];
  verified_after: VerifiedRange[];
}

/** What was accepted, and how what was proposed there compares. */
export interface Accepted {
  acceptance: Acceptance;
  agreement: number | null;
  proposals: number;
  right_proposals: number;
  corrections: number;
}

/** A joint turned some way against its parent, or a knee or elbow bent so far. */
export interface Angle {
  at?: string | string[] | null;
  from?: string | null;
  to?: string | null;
  name: string;
  joint: string;
  turns?: [number, number, number] | null;
  bend?: number | null;
  hard: boolean;
  within?: number | null;
}

/** What was chosen for labelling. */
export interface AnnotatePart {
  vocabulary: string[];
  take: string | null;
  classifier: "usual" | "paper";
  kernel: "laplace" | "gauss" | "both" | null;
  gamma: number | null;
  drafts: Record<string, Record<string, ([number, number, number])[]>>;
}

/** How things stand with labelling. */
export interface AnnotateState {
  choice: LearningChoice;
  words: KnownWord[];
  labels: LabelStanding[];
  takes: TakeStanding[];
  seconds: number;
  verified: number;
  offers: TeachingOffer[];
  unsure: UnsureStretch[];
  looks: ReviewPoint[];
  trials: TrialPoint[];
  is_learnt: boolean;
  usual_gamma: Record<string, number>;
  gammas: [number, number];
  usual_kernel: "laplace" | "gauss" | "both";
  left_out: string[];
}

/** An answer that a search has found, with its report. */
export interface Answer {
  id: string;
  method: string;
  tag: string;
  kind: string;
  is_whole: boolean;
  seconds: number;
  fps: number;
  frames: number;
  cost: number;
  costs: Record<string, number>;
  differs: number | null;
  is_met: boolean;
  verdict: Verdict;
  characters: ShownCharacter[];
  parts: ReportPart[];
  quality: ReportMeasure[];
  notes: string[];
  details: Record<string, unknown>;
}

/** A search has found an answer, or knows more about one. */
export interface AnswerUpdate {
  type: "answer";
  answer: Answer;
}

/** The page wants frames [start, stop) of a motion. */
export interface AskFrames {
  type: "frames";
  motion: string;
  start: number;
  stop: number;
}

/** From where on a badge wants a look. */
export interface BadgeLimit {
  most: number;
  unit: string;
  about: string;
}

/** The badges of a take. */
export interface BadgeValues {
  skate: number | null;
  floor: number | null;
  spikes: number | null;
}

/** What lies beyond the end of a timeline that was made shorter: not asked for, and back when it is made longer. */
export interface BeyondPart {
  labels: Paint[];
  frames: ForcedFrames[];
  places: Place[];
}

/** A page drags a pose, and wants to know the way there; the answer is a binary message, `Browsed` and arrays. */
export interface Browse {
  type: "browse";
  tag: string;
  key: string;
  pose: Pose | null;
  place?: [number, number] | null;
  heading?: number | null;
  seconds?: number | null;
  count: number;
  shades: boolean;
  edits: Edit[];
}

/** The ways to where a pose was dragged, the best first. */
export interface Browsed {
  type: "browsed";
  tag: string;
  is_known: boolean;
  ways: FoundWay[];
  why_not: string;
  reach?: ReachGrid | null;
}

/** A graph to be built; a build that runs is given up for it. */
export interface BuildGraph {
  tag: string;
  request: GraphRequest;
}

/** What is built up. */
export interface BuildupPart {
  request: BuildupRequest;
  props: PropPart[];
}

/** What is built up, by one character or several. */
export interface BuildupRequest {
  name: string;
  start: Start;
  start_from: string | null;
  steps: Step[];
  edits: Edit[];
  hits: Hit[];
  characters: Built[];
  takes: string[] | null;
  fps: number;
  groups: number | null;
  measure: "points" | "angles";
  threshold: number | null;
}

/** What one character does. */
export interface Built {
  name: string;
  start: Start;
  start_from: string | null;
  steps: Step[];
  edits: Edit[];
  hits: Hit[];
}

/** What became of an edit in the middle; frames are those of the motion that all edits leave. */
export interface BuiltEdit {
  why_not: string;
  frames: number;
  start: number | null;
  stop: number | null;
  frame: number | null;
  place: [number, number, number] | null;
}

/** A graph that was built; its file comes by its digest. */
export interface BuiltGraph {
  digest: string;
  seconds: number;
  hubs: HubReport[];
  mean_displacement: number;
  worst_displacement: number;
  worst_where: string;
  planted_step_mm: number;
  dropped: string[];
  is_mended: boolean;
  has_loop: boolean;
  fps: number;
  statistics: GraphStatistics;
  dead_ends: DeadEnd[];
  notes: string[];
}

/** What is played for the start or for a step, frames [start, stop), and where it ends. */
export interface BuiltStep {
  start: number;
  stop: number;
  place: [number, number, number];
  group: number;
  step: number | null;
}

/** What a button does that a person has changed. */
export interface ButtonPart {
  name: string;
  clips: string[];
}

/** A pinhole camera: where it stands, what it looks at, how wide it sees. */
export interface Camera {
  position: [number, number, number];
  look_at: [number, number, number];
  field_of_view: number;
  size: [number, number];
}

/** The page wants a job to stop. */
export interface CancelJob {
  type: "cancel";
  job: number;
}

/** The take whose skeleton becomes the reference. */
export interface ChooseReference {
  take: string | null;
}

/** A page lets a step hit something, and wants the way that is best for that. */
export interface ChooseWays {
  request: BuildupRequest;
  character: number;
  step: number;
}

/** The new reference, and what brings the previous one back. */
export interface ChosenReference {
  reference: ReferenceSkeleton;
  before: StoredReference;
}

/** Which takes a motion is made from. */
export interface ChosenTakes {
  takes: string[] | null;
}

/** The ways of the step and of those after it. */
export interface ChosenWays {
  clips: (PlayedClip[] | null)[];
}

/** What to clean in which takes. */
export interface CleanTakes {
  takes: string[];
  feet: boolean;
  spikes: boolean;
}

/** An action, such as one button triggers, and its clips. */
export interface ClipsOfAction {
  name: string;
  clips: string[];
}

/** One step of the history: plain values that undo and redo need. */
export interface CommandRecord {
  kind: string;
  title: string;
  args: unknown;
  memory: unknown;
}

/** A foot, heel, ball, hand or any joint rests: where it happens to be, or at a place. */
export interface Contact {
  joint: string;
  from: string;
  to: string;
  place?: [number, number] | null;
  height?: number | null;
  hard: boolean;
  within?: number | null;
}

/** Feet rest when they do in a recording. */
export interface ContactsLike {
  take: string;
  frame: number;
  places: boolean;
}

/** What was put on buttons. */
export interface ControlPart {
  buttons: Record<string, ButtonPart>;
}

/** Something was changed, here or by another page. */
export interface CorpusChanged {
  type: "changed";
  what: "takes" | "labels" | "proposals" | "document" | "session";
  revision: number;
}

/** A corpus that can be opened. */
export interface CorpusEntry {
  name: string;
  takes: number;
  seconds: number;
}

/** Which corpus to open or make. */
export interface CorpusName {
  name: string;
}

/** Clips of a take, one after another, that are dead ends or unreachable; frames [start, stop) of it. */
export interface DeadEnd {
  take: string;
  start: number;
  stop: number;
  why: string;
  seconds: number;
  fix: FixFrame[];
}

/** What a motion is asked to meet. */
export interface DirectPart {
  request: DirectRequest;
}

/** What must hold of a motion, and by which prior the rest is filled in. */
export interface DirectRequest {
  length?: string | null;
  start_from?: string | null;
  skeleton?: string | null;
  poses: KeyPose[];
  points: PointTarget[];
  orientations: Orientation[];
  angles: Angle[];
  distances: Distance[];
  projections: Projection[];
  cameras: Record<string, Camera>;
  contacts: Contact[];
  contacts_like?: ContactsLike | null;
  root: Root[];
  head?: Head | null;
  feet: "found" | "given" | "free";
  hold: Hold;
  prior: Prior;
  method: "dynamics" | "linear" | "spline" | "trajectory" | "subspace";
  prior_weight: number;
  knots: number;
  iterations: number;
  fps: number;
}

/** What a page needs to know of a model. */
export interface Director {
  fps: number;
  kind: "body" | "points";
  skeleton: string | null;
  looks: PointLooks | null;
  joints: Record<string, string>;
  distances: NamedDistance[];
  about: string;
}

/** The model is there: drags are answered at once. */
export interface DirectorReady {
  type: "director";
  tag: string;
  director: Director;
}

/** Two joints so far apart, or a joint from a point in space: always, passing through distances, or as in a take. */
export interface Distance {
  at?: string | string[] | null;
  from?: string | null;
  to?: string | null;
  name: string;
  joint: string;
  other?: string | null;
  point?: [number, number, number] | null;
  metres?: number | null;
  path?: number[] | null;
  like?: Frame | null;
  hard: boolean;
  within?: number | null;
}

/** The part of the distance image that a page shows, and how large: frames across, frames down, pixels. */
export interface DistanceImage {
  takes: string[];
  fps: number;
  columns: [number, number];
  rows: [number, number];
  width: number;
  height: number;
}

/** All that a person authored. */
export interface Document {
  workspace: string;
  library: LibraryPart;
  annotate: AnnotatePart;
  timeline: TimelinePart;
  graph: GraphPart;
  buildup: BuildupPart;
  direct: DirectPart;
  control: ControlPart;
  methods: Record<string, MethodPart>;
}

/** Which document to open, make or rename to. */
export interface DocumentName {
  name: string;
}

/** The document as it is saved: what was authored, and how it came about. */
export interface DocumentState {
  name: string;
  revision: number;
  content: Document;
  past: CommandRecord[];
  future: CommandRecord[];
  problem: string;
  changed: string;
  is_gone: boolean;
  names: string[];
}

/** Done, with nothing to return. */
export interface Done {
  ok: boolean;
}

/** A page drags something, and wants the motion that comes of it: a binary message, `Dragged` and arrays. */
export interface Drag {
  type: "drag";
  tag: string;
  request: DirectRequest;
}

/** The motion as it is now; its frames come as arrays. */
export interface Dragged {
  type: "dragged";
  tag: string;
  fps: number;
  frames: number;
  skeleton: string | null;
  points: string[] | null;
  parts: ReportPart[];
}

/** A change in the middle of what was built: a pose put in, frames replaced by a way through a pose, or taken out. */
export interface Edit {
  kind: "insert" | "replace" | "delete";
  from: string;
  to?: string | null;
  pose?: Pose | null;
  place?: [number, number] | null;
  heading?: number | null;
}

/** What every refused request gets. */
export interface ErrorMessage {
  error: string;
}

/** Where an export can be fetched. */
export interface Export {
  address: string;
  file: string;
}

/** Takes to be written as files. */
export interface ExportTakes {
  takes: string[];
  extension: ".bvh" | ".glb" | ".npz" | ".csv" | ".c3d";
  skeleton: string | null;
}

/** A match frame that would connect a dead end. */
export interface FixFrame {
  hub: string;
  take: string;
  frame: number;
  distance: number;
}

/** Where one foot rested. */
export interface Footprint {
  side: "left" | "right";
  frame: number;
  outline: ([number, number])[];
  height: number;
  slope: [number, number];
}

/** Where the feet of a motion rest. */
export interface Footprints {
  footprints: Footprint[];
  contacts: Record<string, ([number, number])[]>;
  supports: SupportBox[];
  terrain: TerrainGrid | null;
}

/** Forced frames, and whether they are there. */
export interface ForcedClip {
  start: number;
  stop: number;
  take: string;
  take_start: number;
  take_stop: number;
  in_time: boolean;
  error: number;
  joint: string;
}

/** A frame, or a clip, of a take that has to be played at a time. */
export interface ForcedFrames {
  at: string;
  take: string;
  frame: number | null;
  start: number | null;
  stop: number | null;
}

/** A way: path{n} (N, 2) metres, root{n} (3,) and rotations{n} (J, 4) of the pose at its end come as arrays. */
export interface FoundWay {
  seconds: number;
  place: [number, number, number];
  away: number;
  cuts: number;
  hardest: number;
  group: number;
  clips: PlayedClip[];
}

/** A frame of a take of the corpus. */
export interface Frame {
  take: string;
  frame: number;
}

/** Frames to be shown; all stand as the distance to the first puts them. */
export interface FramePoses {
  takes: string[];
  fps: number;
  frames: number[];
}

/** One frame, to be compared with all. */
export interface FrameSlice {
  takes: string[];
  fps: number;
  frame: number;
}

export type FromPage = AskFrames | CancelJob | Browse | Drag | Ping;

export type FromServer = JobUpdate | CorpusChanged | AnswerUpdate | MaterialReady | GraphBuilt | PaletteReady | NotBrowsed | DirectorReady | NotDragged | Refused | Pong;

/** A page wants the model of a request to be ready; getting another one ready is given up for it. */
export interface GetDirector {
  tag: string;
  request: DirectRequest;
}

/** A page wants takes to be compared; comparing others is given up for it. */
export interface GetMaterial {
  takes: string[] | null;
  fps: number;
  tag: string;
}

/** A page wants the poses that a request chooses from; getting others ready is given up for it. */
export interface GetPalette {
  tag: string;
  request: BuildupRequest;
}

/** A page wants to know what can be reached from the last pose of a character. */
export interface GetStanding {
  request: BuildupRequest;
  character: number;
}

/** A label given by a person. */
export interface GivenLabel {
  take: string;
  label: string;
  start: number;
  stop: number;
  source: string;
}

/** A graph was built. */
export interface GraphBuilt {
  type: "built";
  tag: string;
  built: BuiltGraph;
}

/** The hub graph that was authored. */
export interface GraphPart {
  request: GraphRequest;
  colours: Record<string, number>;
}

/** Everything that a person decides about a hub graph; `prepare` builds it. */
export interface GraphRequest {
  takes: string[] | null;
  fps: number;
  w_min: number;
  threshold: number | null;
  hubs: Hub[];
  actions: ClipsOfAction[] | null;
  mend: "remove" | "keep";
}

/** What a graph lets people do. */
export interface GraphStatistics {
  hubs: number;
  clips: number;
  seconds: number;
  actions: number;
  branching: number;
  mean_wait: number | null;
  worst_wait: number | null;
  turn_right: number | null;
  turn_left: number | null;
  turn_gap: number | null;
}

/** A frame that a match set is grown from, beside the match frames of other hubs. */
export interface GrowSet {
  takes: string[];
  fps: number;
  seed: number;
  w_min: number;
  taken: number[];
}

/** All frames that can join, nearest first: those up to a threshold are the match set of that threshold. */
export interface GrownSet {
  seed: number;
  frames: number[];
  distances: number[];
}

/** How the head moves that points are on: as in a take, or still. */
export interface Head {
  like?: Frame | null;
  still?: Frame | null;
  position?: [number, number, number] | null;
  turns?: [number, number, number] | null;
}

/** A joint at a point in space: in the last frame of a step, at a time, or both. */
export interface Hit {
  joint: string;
  point: [number, number, number] | null;
  target: MovingPoint | null;
  step: number | null;
  at: string | null;
  exact: boolean;
}

/** How the rest of a motion that is edited stays as it was. */
export interface Hold {
  degrees: number;
  root: number;
  free?: string[] | null;
}

/** A hub: its match frames listed by hand, grown from a seed frame, or the largest match set that is left. */
export interface Hub {
  name: string | null;
  frames: TakeFrame[];
  like: TakeFrame | null;
  largest: boolean;
  threshold: number | null;
  add: TakeFrame[];
  drop: TakeFrame[];
}

/** How a hub came out. */
export interface HubReport {
  name: string;
  match_frames: number;
  planted: string[];
  mean_displacement: number;
  worst_displacement: number;
  level: number;
}

/** Files that were uploaded and shall be imported. */
export interface ImportBatch {
  batch: string;
}

/** How far an import is. */
export interface ImportState {
  state: "running" | "done" | "failed" | "cancelled";
  error: string;
  files: ImportedFile[];
}

/** What became of one file. */
export interface ImportedFile {
  file: string;
  status: "imported" | "duplicate" | "refused";
  take: string;
  duplicate_of: string;
  message: string;
}

/** Work that takes longer than a moment. */
export interface Job {
  id: number;
  kind: string;
  title: string;
  state: "waiting" | "running" | "done" | "failed" | "cancelled";
  done: number;
  total: number;
  note: string;
  error: string;
  can_cancel: boolean;
  quiet: boolean;
  for_method: string;
}

/** How far a job is. */
export interface JobUpdate {
  type: "job";
  job: Job;
}

/** Frames of a take that tell most of it, to be key poses. */
export interface KeyFrames {
  take: string;
  fps: number;
  length: number;
  frames: number[];
}

/** A whole pose, or that of some joints. */
export interface KeyPose {
  at?: string | string[] | null;
  from?: string | null;
  to?: string | null;
  name: string;
  pose?: Frame | null;
  file?: string | null;
  joints?: string[] | null;
  place?: [number, number] | null;
  heading?: number | null;
  as_recorded: boolean;
  hard: boolean;
  within?: number | null;
}

/** A label that the corpus has. */
export interface KnownWord {
  word: string;
  takes: number;
  seconds: number;
}

/** The colours of labels: numbers of the palette, counted on where there are more labels than colours. */
export interface LabelColours {
  numbers: Record<string, number>;
}

/** Words that need a colour. */
export interface LabelNames {
  labels: string[];
}

/** The state of one label of a take. */
export interface LabelRanges {
  label: string;
  holds: ([number, number])[];
  verified: ([number, number])[];
  proposed: ProposedRange[];
}

/** How things stand with one label of the vocabulary. */
export interface LabelStanding {
  label: string;
  verified: number;
  holds: number;
  proposed: number;
  agreement: number | null;
  corrections: number;
}

/** Which words are learnt, and how. */
export interface LearningChoice {
  vocabulary: string[];
  classifier: "usual" | "paper";
  kernel: "laplace" | "gauss" | "both" | null;
  gamma: number | null;
}

/** What was chosen in the library. */
export interface LibraryPart {
  take: string | null;
}

/** What became of a take that another was to be made of. */
export interface MadeTake {
  take: string;
  made: string | null;
  error: string;
  before: BadgeValues | null;
  after: BadgeValues | null;
}

/** What a job has made, once it is done. */
export interface MadeTakes {
  state: "running" | "done" | "failed" | "cancelled";
  error: string;
  made: MadeTake[];
}

/** Takes of the same markers, whose frames can be keys of each other's motions. */
export interface MarkerTakes {
  takes: KeyFrames[];
}

/** Takes were compared. */
export interface MaterialReady {
  type: "material";
  tag: string;
  material: MaterialState;
}

/** Takes that were compared with each other. */
export interface MaterialState {
  fps: number;
  frames: number;
  takes: MaterialTake[];
  skeleton: string;
  usual: number;
  threshold: number;
  most: number;
  far: number;
  least_w_min: number;
}

/** A take of the material, and where its frames begin. */
export interface MaterialTake {
  name: string;
  start: number;
  frames: number;
  step: number;
}

/** A method: what it makes, and what can be asked of it. */
export interface MethodDescription {
  name: string;
  title: string;
  summary: string;
  request_schema: Record<string, unknown>;
  example: Record<string, unknown>;
}

/** What is asked of a method in its generated workspace. */
export interface MethodPart {
  request: Record<string, unknown>;
}

/** What is asked of a method, as plain data; the method's own `Request` checks it. */
export interface MethodRequest {
  request: Record<string, unknown>;
}

/** Why something painted is missed, or met by a very hard cut, and what would help. */
export interface MissReason {
  labels: string[];
  start: number;
  stop: number;
  kind: string;
  sentence: string;
  advice: string;
  at_cut: boolean;
}

/** What there is to know about a motion before its frames come. */
export interface Motion {
  id: string;
  name: string;
  kind: "body" | "points";
  fps: number;
  frames: number;
  floor: number;
  skeleton: string | null;
  points: string[] | null;
  looks: PointLooks | null;
}

/** A joint of another character. */
export interface MovingPoint {
  character: string;
  joint: string;
}

/** Two markers of a face whose distance people think in. */
export interface NamedDistance {
  name: string;
  joint: string;
  other: string;
  least: number;
  most: number;
}

/** Badges that were measured since the page last asked: skate, floor and spikes by take. */
export interface NewBadges {
  badges: Record<string, [number | null, number | null, number | null]>;
  next: number;
}

/** There is no way, or none could be looked for. */
export interface NotBrowsed {
  type: "not_browsed";
  tag: string;
  error: string;
}

/** The request makes no sense, or none yet. */
export interface NotDragged {
  type: "not_dragged";
  tag: string;
  error: string;
}

/** The corpus that is open. */
export interface OpenCorpus {
  name: string;
  takes: number;
  seconds: number;
  can_write: boolean;
  reason: string;
}

/** A joint turned some way in the world. */
export interface Orientation {
  at?: string | string[] | null;
  from?: string | null;
  to?: string | null;
  name: string;
  joint: string;
  turns?: [number, number, number] | null;
  like?: Frame | null;
  hard: boolean;
  within?: number | null;
}

/** A stretch of one label track: there the label must hold, or must not. */
export interface Paint {
  label: string;
  from: string;
  to: string;
  value: "must" | "must_not";
}

/** A label that can be painted, and how much there is of it; feet on the ground are not counted. */
export interface PaintableLabel {
  label: string;
  seconds: number | null;
  takes: number | null;
  longest: number | null;
}

/** A painted stretch, and how it came out. */
export interface PaintedStretch {
  label: string;
  value: "must" | "must_not";
  start: number;
  stop: number;
  right: number;
  percent: number;
  met: boolean;
  runs: ([number, number, "right" | "wrong" | "unknown"])[];
}

/** The poses are there. */
export interface PaletteReady {
  type: "palette";
  tag: string;
  palette: PosePalette;
}

/** The page asks whether anybody is there. */
export interface Ping {
  type: "ping";
}

/** Where on the ground to be at a time, and facing which way. */
export interface Place {
  at: string;
  position: [number, number] | null;
  heading: number | null;
  weight: number;
}

/** Frames of a take that an accepted way plays; a mirrored copy has '~mirrored' behind its name. */
export interface PlayedClip {
  take: string;
  start: number;
  stop: number;
}

/** A cut of the answer, and how hard it is. */
export interface PlayedJoin {
  frame: number;
  before: string;
  leave: number;
  after: string;
  enter: number;
  kind: string;
  seconds: number;
  distance: number;
  peak: number;
  joint: string;
  share_calmer: number;
  is_hard: boolean;
}

/** Frames [start, stop) of the answer and what they were cut from. */
export interface PlayedPiece {
  start: number;
  stop: number;
  take: string;
  take_start: number;
  take_stop: number;
}

/** How markers are drawn. */
export interface PointLooks {
  links: ([number, number])[];
  triangles: ([number, number, number])[];
  outlines: number[][];
  front: number | null;
}

/** A point of the body: at a position, moved from where it was, along a path, or as in a recording. */
export interface PointTarget {
  at?: string | string[] | null;
  from?: string | null;
  to?: string | null;
  name: string;
  joint: string;
  offset?: [number, number, number] | null;
  position?: [number | null, number | null, number | null] | null;
  moved_by?: [number, number, number] | null;
  path?: ([number, number, number])[] | null;
  like?: Frame | null;
  hard: boolean;
  within?: number | null;
}

/** Reply to a ping. */
export interface Pong {
  type: "pong";
}

/** A pose: that of a frame of a take, or the one that a label is mostly seen in. */
export interface Pose {
  take?: string | null;
  frame?: number | null;
  label?: string | null;
}

/** A pose to choose: that of a frame, which stands for all that look like it. */
export interface PoseCard {
  group: number;
  take: string;
  frame: number;
  labels: string[];
  seconds: number;
  root: [number, number, number];
  rotations: number[];
}

/** The poses to choose from, alike ones side by side. */
export interface PosePalette {
  fps: number;
  skeleton: string;
  near: number;
  points: string[];
  seconds: number;
  cards: PoseCard[];
}

/** What motions are likely: what it is learnt from, and how. */
export interface Prior {
  takes?: string[] | null;
  labels?: string[] | null;
  dimensions?: number | null;
  controls?: number | null;
  mirrored?: boolean | null;
  order: number | null;
  mixtures: number | null;
  pull?: "zero" | "persistence" | null;
  independent_start: boolean;
}

/** A joint seen at a point of a picture. */
export interface Projection {
  at?: string | string[] | null;
  from?: string | null;
  to?: string | null;
  name: string;
  joint: string;
  camera: string;
  pixel: [number, number];
  hard: boolean;
  within?: number | null;
}

/** A thing in space to hit or to touch. */
export interface PropPart {
  name: string;
  position: [number, number, number];
  colour: number;
}

/** Where the classifier proposes a label. */
export interface ProposedRange {
  start: number;
  stop: number;
  confidence: number;
}

/** Where the cells of the array `reach` are: (rows along z, columns along x) seconds, -1 for never. */
export interface ReachGrid {
  x: number;
  z: number;
  cell: number;
}

/** A place, and by how much it is missed before bending and after. */
export interface ReachedPlace {
  frame: number;
  position: [number, number] | null;
  heading: number | null;
  position_miss_before: number;
  heading_miss_before: number;
  position_miss: number;
  heading_miss: number;
  met: boolean;
}

/** The skeleton that all takes are shown on together. */
export interface ReferenceSkeleton {
  take: string;
  skeleton: string;
  joints: number;
  is_chosen: boolean;
  is_removed: boolean;
}

/** Something that a page asked for over the socket could not be done. */
export interface Refused {
  type: "refused";
  error: string;
  motion: string;
}

/** What is needed to bring the same takes back, and no others of their names. */
export interface RemovedTakes {
  numbers: number[];
}

/** Another name for a take. */
export interface RenameTake {
  take: string;
  name: string;
}

/** Rename a label in all takes. */
export interface RenameWord {
  old: string;
  new: string;
}

/** How many label ranges have the word. */
export interface Renamed {
  labels: number;
}

/** One measure of how good the motion is. */
export interface ReportMeasure {
  name: string;
  value: number | null;
  unit: string;
  before: number | null;
  usual: number | null;
  note: string;
}

/** One part of what was asked. */
export interface ReportPart {
  name: string;
  value: number;
  unit: string;
  tolerance: number | null;
  met: boolean;
  why_not: string;
  frame?: number | null;
}

/** Everything that is asked of one motion. */
export interface Request {
  length: string;
  labels: Paint[];
  frames: ForcedFrames[];
  places: Place[];
  alpha: number;
  fps: number;
  takes: string[] | null;
  start_from: string | null;
}

/** A request as the text of a YAML file. */
export interface RequestText {
  text: string;
  name: string;
}

/** A graph whose match sets a page wants to know. */
export interface ResolveSets {
  request: GraphRequest;
  count: number | null;
}

/** The match sets of a graph, and what could be its next hub. */
export interface ResolvedGraph {
  hubs: ResolvedSet[];
  suggestions: SuggestedSet[];
  problem: string;
}

/** The match frames of a hub, or why it can be none. */
export interface ResolvedSet {
  name: string;
  frames: number[];
  distances: (number | null)[];
  seed: number | null;
  threshold: number | null;
  mean: number | null;
  problem: string;
}

/** Removed takes that shall come back. */
export interface RestoreTakes {
  takes: string[];
  numbers: number[] | null;
}

/** Accuracy of the proposals when they were verified. */
export interface ReviewPoint {
  verified: number;
  agreement: number;
  corrections: number;
  take: string;
}

/** Where the root is over the ground, how high, and whither it looks. */
export interface Root {
  at?: string | string[] | null;
  from?: string | null;
  to?: string | null;
  name: string;
  position?: [number, number] | null;
  heading?: number | null;
  height?: number | null;
  path?: ([number, number])[] | null;
  like?: Frame | null;
  hard: boolean;
  within?: number | null;
}

/** Which answer to keep in the corpus. */
export interface SaveAnswer {
  answer: string;
  name: string;
}

/** What a page wants to be saved. */
export interface SaveDocument {
  name: string;
  revision: number;
  content: Document;
  past: CommandRecord[];
  future: CommandRecord[];
  over: boolean;
}

/** A document is on the disk. */
export interface Saved {
  revision: number;
  kept: string[];
}

/** An answer is in the corpus now. */
export interface SavedAnswer {
  takes: string[];
  labels: number;
}

/** What a page wants to be searched for; a search of the same method that runs is given up for it. */
export interface SearchRequest {
  request: Record<string, unknown>;
  tag: string;
  others: number | null;
}

/** How things stand when a page opens. */
export interface Session {
  version: string;
  corpus: OpenCorpus | null;
  can_choose: boolean;
  home: string;
  endings: string[];
  upload_limit: number;
}

/** One motion of an answer; its frames come by its id. */
export interface ShownCharacter {
  name: string;
  motion: string;
  kind: "body" | "points";
  pieces: ShownPiece[];
}

/** Frames [start, stop) of a character, and what plays there: a take, or a model that made them. */
export interface ShownPiece {
  start: number;
  stop: number;
  name: string;
}

/** A skeleton for drawing. */
export interface Skeleton {
  digest: string;
  names: string[];
  parents: number[];
  offsets: ([number, number, number])[];
  roles: Record<string, number>;
  ends: SkeletonEnd[];
}

/** The tip of a last bone. */
export interface SkeletonEnd {
  parent: number;
  offset: [number, number, number];
}

/** A skeleton that takes have. */
export interface SkeletonRow {
  digest: string;
  name: string;
  joints: number;
  takes: number;
  take: string;
  can_be_target: boolean;
}

/** A frame of a take as strokes. */
export interface Sketch {
  take: string;
  frame: number;
  kind: "body" | "face" | "points";
  lines: ([number, number, number, number])[];
  outlines: (([number, number])[])[];
  dots: ([number, number])[];
}

/** The sketches that were wanted, in their order; None for a take that cannot be read. */
export interface Sketches {
  sketches: (Sketch | null)[];
}

/** Where a character stands after all that was built, and what it can do next. */
export interface Standing {
  key: string;
  steps: BuiltStep[];
  why_not: string[];
  edits: BuiltEdit[];
  is_whole: boolean;
  soonest: (number | null)[];
}

/** The first pose, and where on the ground it stands; or a take that the motion begins with and goes on from. */
export interface Start {
  pose: Pose | null;
  position: [number, number] | null;
  heading: number | null;
}

/** An extension: to which pose, where, when, and which of the ways there. */
export interface Step {
  pose: Pose | null;
  place: [number, number] | null;
  heading: number | null;
  for: string | null;
  within: number | null;
  way: number;
  exact: boolean;
  clips: PlayedClip[] | null;
  begins: string | null;
}

/** A reference as the corpus stores it. */
export interface StoredReference {
  take: string;
  content: string;
  skeleton: string;
  chosen: boolean;
}

/** A match set that could be a hub. */
export interface SuggestedSet {
  take: string;
  frame: number;
  seed: number;
  frames: number[];
  threshold: number;
  mean: number;
  worst: number;
  takes: number;
  planted: string[];
}

/** A box that feet stand on in some frames; heights are above the floor. */
export interface SupportBox {
  centre: [number, number];
  half: [number, number];
  turn: number;
  top: number;
  bottom: number;
  start: number;
  stop: number;
}

/** A frame of a take. */
export interface TakeFrame {
  take: string;
  frame: number;
}

/** A label of a take: frames [start, stop). */
export interface TakeLabel {
  label: string;
  start: number;
  stop: number;
  source: string;
}

/** All takes, in one answer. */
export interface TakeList {
  takes: TakeRow[];
  skeletons: SkeletonRow[];
  reference: ReferenceSkeleton | null;
  left_out: string[];
  points_left_out: string[];
  labels: string[];
  limits: Record<string, BadgeLimit>;
  next_badges: number;
}

/** Some takes. */
export interface TakeNames {
  takes: string[];
}

/** One line of the library. */
export interface TakeRow {
  name: string;
  kind: "body" | "points";
  frames: number;
  fps: number;
  skeleton: string | null;
  labels: Record<string, number>;
  flags: string[];
  left_out: string;
  source: string;
  made: boolean;
  measured: boolean;
  skate: number | null;
  floor: number | null;
  spikes: number | null;
}

/** How things stand with one take. */
export interface TakeStanding {
  name: string;
  frames: number;
  fps: number;
  verified: number;
  confidence: number | null;
  unsure: number;
  rank: number | null;
}

/** The state of all labels of a take. */
export interface TakeTracks {
  take: string;
  frames: number;
  fps: number;
  labels: LabelRanges[];
}

/** A stretch that teaches much when it is verified next. */
export interface TeachingOffer {
  take: string;
  start: number;
  stop: number;
  fps: number;
  unsure: number;
  new: number;
  about: string[];
  why: string;
}

/** Uneven ground: heights above the floor on a grid, a row for each step along its own x. */
export interface TerrainGrid {
  origin: [number, number];
  spacing: [number, number];
  turn: number;
  heights: number[][];
}

/** The details of an answer of the method timeline. */
export interface TimelineDetails {
  labels: PaintedStretch[];
  pieces: PlayedPiece[];
  joins: PlayedJoin[];
  forced: ForcedClip[];
  places: ReachedPlace[];
  reasons: MissReason[];
}

/** What was painted and placed. */
export interface TimelinePart {
  tracks: string[];
  request: Request;
  beyond: BeyondPart;
}

/** How well takes are classified that were left out of training. */
export interface TrialPoint {
  verified: number;
  agreement: number;
  f1: number | null;
}

/** Frames of a take that become a take of their own. */
export interface TrimTake {
  take: string;
  start: number;
  stop: number;
}

/** A stretch in which a label is unclear. */
export interface UnsureStretch {
  take: string;
  label: string;
  start: number;
  stop: number;
  confidence: number;
}

/** A file has arrived whole. */
export interface Uploaded {
  size: number;
}

/** How well an answer meets the request: what the badge says, and the headline of the report. */
export interface Verdict {
  missed: number;
  of: number;
  percent: number | null;
  sentence: string;
}

/** A verified range of a label. */
export interface VerifiedRange {
  take: string;
  label: string;
  start: number;
  stop: number;
}

/** Clips of a graph that was built, one after another, as a page has played them. */
export interface WalkGraph {
  graph: string;
  clips: number[];
  frames: number | null;
}

/** They are an answer now. */
export interface WalkedGraph {
  answer: string;
}

/** A frame of a take, or the one that tells most of it. */
export interface WantedSketch {
  take: string;
  frame: number | null;
}

/** Some frames of takes. */
export interface WantedSketches {
  wanted: WantedSketch[];
}
