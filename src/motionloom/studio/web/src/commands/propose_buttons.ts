/** Let all buttons do again what is proposed. */

import { defineDocumentCommand } from "./command";

export const proposeButtonsAnew = defineDocumentCommand<null>({
  kind: "propose buttons",
  describe: () => "Propose all buttons anew",
  change: (document) => ({ ...document, control: { ...document.control, buttons: {} } }),
});
