/** Takes that belong together, to make a first graph of: those of one folder, or of one subject. */

export interface Group {
  name: string;
  takes: string[];
  seconds: number;
}

const MOST_SECONDS = 240; // at most, so that the graph is built quickly
const MOST_GROUPS = 8;

/** Groups by the first part of the name, those that look like actions first; long ones are cut. */
export function groupTakes(takes: readonly { name: string; seconds: number }[], liked: string | null = null): Group[] {
  const groups = new Map<string, Group>();
  for (const take of takes) {
    const name = take.name.split(/[/_ ]/)[0];
    const group = groups.get(name) ?? { name, takes: [], seconds: 0 };
    groups.set(name, group);
    if (group.takes.length > 0 && group.seconds + take.seconds > MOST_SECONDS) continue;
    group.takes.push(take.name);
    group.seconds += take.seconds;
  }
  const isLiked = (group: Group): number => (liked !== null && group.takes.includes(liked) ? 0 : 1);
  const isMoving = (group: Group): number => (/fight|martial|walk|box/i.test(group.name) ? 0 : 1);
  return [...groups.values()]
    .sort((a, b) => isLiked(a) - isLiked(b) || isMoving(a) - isMoving(b) || b.seconds - a.seconds)
    .slice(0, MOST_GROUPS);
}
