/** The 3D view: puts stage, cast, markers and camera together and draws them when something has changed. */

import { Matrix4, Vector3, WebGLRenderer } from "three";

import { OrbitCamera } from "./camera";
import { Cast } from "./cast";
import { Clock } from "./clock";
import { makeColours, readColours } from "./colours";
import { Announcer } from "./events";
import { Fineness } from "./fineness";
import { Footprints } from "./footprints";
import { Supports } from "./supports";
import { TerrainSurface } from "./terrain";
import { Highlight } from "./highlight";
import { Labels } from "./labels";
import { GroundPath } from "./path";
import { fillViewMatrix, findSpot } from "./picking";
import { listen } from "./pointer";
import { ReachShading } from "./reach";
import { Stage } from "./stage";
import { Targets } from "./targets";
import { isSameJoint, Touching } from "./touching";
import { Trails } from "./trails";
import type { PickedJoint, StudioView, ViewOptions } from "./types";
import { Waypoints } from "./waypoints";

export interface ViewMaking {
  antialias?: boolean; // true by default
  pixelRatio?: number; // at most; 2 by default
}

/** Make the view on a canvas, which must have its size from CSS. */
export function createView(canvas: HTMLCanvasElement, making: ViewMaking = {}): StudioView {
  const renderer = new WebGLRenderer({ canvas, antialias: making.antialias ?? true, powerPreference: "high-performance" });
  const software = isSoftware(renderer);
  const mostPixels = making.pixelRatio ?? (software ? 1 : 2);

  const options: ViewOptions = { theme: "light", subject: "body", grid: true, shadows: true, follow: null, footprints: true };
  const colours = makeColours();
  const announcer = new Announcer();
  const labels = new Labels(canvas);
  const camera = new OrbitCamera();
  const stage = new Stage(colours);
  const cast = new Cast(stage.scene, colours);
  const trails = new Trails(stage.scene, colours);
  const path = new GroundPath(stage.scene, colours);
  const reach = new ReachShading(stage.scene, colours);
  const footprints = new Map<string, Footprints>();
  const supports = new Map<string, Supports>();
  const terrains = new Map<string, TerrainSurface>();
  const waypoints = new Waypoints(stage.scene, colours, labels);
  const targets = new Targets(stage.scene, colours, labels);
  const chosenMark = new Highlight(stage.scene, "joint:chosen", colours, labels, 0.95);
  const hoverMark = new Highlight(stage.scene, "joint:hover", colours, labels, 0.6);
  const touching = new Touching({ canvas, camera, cast, waypoints, targets, announcer, wake: () => clock.wake() });
  const viewMatrix = new Matrix4();
  const point = new Vector3();
  let width = 1;
  let height = 1;
  let chosen: PickedJoint | null = null;
  let areColoursOld = true;
  let areShadowsOld = true;
  let isLost = false;

  const clock = new Clock((seconds) => {
    if (isLost) return false;
    fineness.note(clock.passed);
    if (areColoursOld) recolour();
    if (cast.refresh() || areShadowsOld) stage.castShadows(renderer, cast.places);
    areShadowsOld = false;
    if (touching.heldTarget === null) {
      camera.follow(options.follow === null ? null : cast.placeOf(options.follow), options.follow); // what is dragged does not drag the camera
    }
    const moves = camera.update(seconds);
    stage.followCamera(camera.lens, camera.now.target, camera.now.distance);
    waypoints.fit(camera.metresPerPixel(height), camera.now.azimuth, camera.now.elevation);
    targets.fit(camera.metresPerPixel(height));
    markJoint(chosenMark, chosen);
    markJoint(hoverMark, touching.heldTarget !== null || isSameJoint(touching.hovered, chosen) ? null : touching.hovered);
    renderer.render(stage.scene, camera.lens);
    labels.place(fillViewMatrix(camera.lens, viewMatrix), width, height);
    return moves;
  });

  const fineness = new Fineness(() => {
    setPixels();
    clock.wake();
  });

  function setPixels(): void {
    renderer.setPixelRatio(Math.min(globalThis.devicePixelRatio || 1, mostPixels) * fineness.factor);
    renderer.setSize(width, height, false);
  }

  function recolour(): void {
    areColoursOld = false;
    readColours(canvas, colours);
    renderer.setClearColor(colours.sky);
    stage.recolour(options.theme === "dark");
    cast.recolour();
    trails.recolour();
    path.recolour();
    reach.recolour();
    for (const prints of footprints.values()) prints.recolour();
    for (const boxes of supports.values()) boxes.recolour();
    for (const surface of terrains.values()) surface.recolour();
    waypoints.draw();
    targets.recolour();
  }

  function markJoint(mark: Highlight, picked: PickedJoint | null): void {
    const found = picked === null ? null : cast.jointsOf(picked.character);
    if (picked === null || found === null) return mark.hide();
    mark.show(found.joints, picked.joint, found.root, cast.titleOf(picked.character, picked.joint), camera.metresPerPixel(height));
  }

  const stopListening = listen(canvas, touching);
  const onLost = (event: Event): void => {
    event.preventDefault(); // so that it comes back
    isLost = true;
  };
  const onRestored = (): void => {
    isLost = false;
    areShadowsOld = true;
    clock.wake();
  };
  canvas.addEventListener("webglcontextlost", onLost);
  canvas.addEventListener("webglcontextrestored", onRestored);
  canvas.style.touchAction = "none";
  if (!canvas.hasAttribute("tabindex")) canvas.tabIndex = 0;
  const sizes = typeof ResizeObserver === "undefined" ? null : new ResizeObserver(() => view.resize());

  const view: StudioView = {
    setOptions(changed) {
      Object.assign(options, changed);
      if ("theme" in changed) areColoursOld = true; // read when drawn: the page may be about to change its theme
      const isOnGround = options.subject === "body";
      camera.attend(options.subject);
      touching.hasGround = isOnGround;
      targets.setStanding(isOnGround);
      stage.ground.setShown(isOnGround);
      stage.ground.setGrid(options.grid);
      stage.setShadows(options.shadows && isOnGround);
      for (const prints of footprints.values()) prints.setShown(options.footprints);
      areShadowsOld = true;
      clock.wake();
    },
    setCharacters(specs) {
      cast.setCharacters(specs);
      for (const [id, prints] of footprints) {
        if (specs.some((spec) => spec.id === id)) continue;
        prints.dispose();
        footprints.delete(id);
      }
      for (const [id, boxes] of supports) {
        if (specs.some((spec) => spec.id === id)) continue;
        boxes.dispose();
        supports.delete(id);
      }
      for (const [id, surface] of terrains) {
        if (specs.some((spec) => spec.id === id)) continue;
        surface.dispose();
        terrains.delete(id);
      }
      clock.wake();
    },
    setPoints(specs) {
      cast.setPoints(specs);
      clock.wake();
    },
    pose(id, pose) {
      if (!cast.pose(id, pose)) return;
      clock.wake();
      announcer.emit("posed", id, performance.now());
    },
    posePoints(id, positions) {
      if (!cast.posePoints(id, positions)) return;
      clock.wake();
      announcer.emit("posed", id, performance.now());
    },
    setGhosts(id, poses) {
      cast.setGhosts(id, poses);
      clock.wake();
    },
    setTrails(wanted) {
      trails.set(wanted);
      clock.wake();
    },
    setFootprints(id, prints, currentFrame) {
      let kept = footprints.get(id);
      if (kept === undefined) {
        if (prints.length === 0) return;
        footprints.set(id, (kept = new Footprints(stage.scene, colours)));
        kept.setShown(options.footprints);
      }
      kept.set(prints, currentFrame);
      clock.wake();
    },
    setSupports(id, wanted, currentFrame, fps) {
      let kept = supports.get(id);
      if (kept === undefined) {
        if (wanted.length === 0) return;
        supports.set(id, (kept = new Supports(stage.scene, colours)));
      }
      if (kept.set(wanted, currentFrame, fps)) clock.wake();
    },
    setTerrain(id, terrain) {
      let kept = terrains.get(id);
      if (kept === undefined) {
        if (terrain === null) return;
        terrains.set(id, (kept = new TerrainSurface(stage.scene, colours)));
      }
      if (kept.set(terrain)) clock.wake();
    },
    setWaypoints(wanted) {
      const held = touching.heldWaypoint;
      // copies, because drags change them; the one that is dragged stays under the pointer
      waypoints.set(
        wanted.map((waypoint) =>
          held?.id === waypoint.id
            ? Object.assign(held, waypoint, { x: held.x, z: held.z, heading: held.heading })
            : { ...waypoint },
        ),
      );
      clock.wake();
    },
    setPath(points) {
      path.set(points);
      clock.wake();
    },
    setTargets(wanted) {
      const held = touching.heldTarget;
      targets.set(
        wanted.map((target) =>
          held?.id === target.id ? Object.assign(held, target, { position: held.position }) : { ...target },
        ),
      );
      clock.wake();
    },
    setGrip(character) {
      touching.gripped = character;
    },
    setPen(pen) {
      touching.pen = pen;
    },
    lens() {
      const { position, fov } = camera.lens;
      const { target } = camera.now;
      return { position: [position.x, position.y, position.z], look_at: [target.x, target.y, target.z], field_of_view: fov };
    },
    pixelAt(place) {
      const spot = findSpot(fillViewMatrix(camera.lens, viewMatrix), ...place, width, height, { x: 0, y: 0, depth: 0 });
      return spot.depth > 0 ? [spot.x, spot.y] : null;
    },
    lookThrough({ position, look_at }) {
      camera.lookFrom(point.set(...position), new Vector3(...look_at));
      clock.wake();
    },
    setReach(wanted) {
      if (reach.set(wanted)) clock.wake();
    },
    groundAt: (clientX, clientY) => touching.groundAt(clientX, clientY),
    highlight(picked) {
      chosen = picked;
      clock.wake();
    },
    frameCharacter(id) {
      const radius = cast.ballOf(id, point);
      if (radius === null) return;
      camera.frame(point, radius, cast.frontOf(id));
      clock.wake();
    },
    azimuth: () => camera.now.azimuth,
    chase(heading) {
      camera.chase(heading);
    },
    resize() {
      width = Math.max(canvas.clientWidth, 1);
      height = Math.max(canvas.clientHeight, 1);
      setPixels();
      camera.resize(width, height);
      touching.resize(width, height);
      trails.resize(width, height);
      path.resize(width, height);
      clock.drawNow(); // a resized canvas is empty until it is drawn again
    },
    on: (name, handler) => announcer.on(name, handler),
    statistics: () => ({ ...clock.statistics(), rests: clock.rests && fineness.factor === 1 }),
    dispose() {
      clock.stop();
      fineness.stop();
      stopListening();
      sizes?.disconnect();
      canvas.removeEventListener("webglcontextlost", onLost);
      canvas.removeEventListener("webglcontextrestored", onRestored);
      for (const prints of footprints.values()) prints.dispose();
      for (const boxes of supports.values()) boxes.dispose();
      for (const surface of terrains.values()) surface.dispose();
      for (const part of [chosenMark, hoverMark, waypoints, targets, trails, path, reach, cast, stage, labels]) part.dispose();
      announcer.clear();
      renderer.dispose();
    },
  };
  view.resize();
  sizes?.observe(canvas);
  return view;
}

/** Whether pictures are rendered in software, without a graphics card, where every pixel counts. */
function isSoftware(renderer: WebGLRenderer): boolean {
  const context = renderer.getContext();
  const info = context.getExtension("WEBGL_debug_renderer_info");
  const name = String(info === null ? "" : context.getParameter(info.UNMASKED_RENDERER_WEBGL));
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}
