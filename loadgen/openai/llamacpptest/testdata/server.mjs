// A thin OpenAI-compatible server over llama.cpp, for tests. It answers greedily,
// as many requests at a time as the context has sequences, and writes for every
// answer what the engine itself counted, which no client has touched:
//
//   node server.mjs --model FILE --log FILE [--sequences N] [--context TOKENS] [--answers JSON]
//     [--reuse never|asked|always]
//
// It prints its address when it is ready and ends when its standard input does.
// Answers are an object of questions and what the server says to them without asking
// the engine. What a sequence has computed is not used again; with --reuse asked it is,
// unless a request says cache_prompt false, and with --reuse always whatever it says.
// A request chooses by "wrapper" how the answer differs, as it does from server to
// server:
//
//   {"close": true}                      the connection is closed after the answer, unannounced
//   {"usage": "own" | "finish" | "null"} an event of its own, in the finish event, null in all before
//   {"ignore": ["max_tokens", …]}        fields that are not honoured
//   {"tokensPerEvent": 4}                text is held back until so many tokens are there
import { openSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { getLlama } from "node-llama-cpp";

const { values: flags } = parseArgs({
  options: {
    model: { type: "string" },
    log: { type: "string" },
    sequences: { type: "string", default: "4" },
    context: { type: "string", default: "2048" },
    answers: { type: "string", default: "{}" },
    reuse: { type: "string", default: "never" },
  },
});
const sequences = Number(flags.sequences);
const contextSize = Number(flags.context); // of each
const answers = new Map(Object.entries(JSON.parse(flags.answers) ?? {}));

const log = openSync(flags.log, "ax");
const note = (record) => writeSync(log, JSON.stringify(record) + "\n");
const now = () => Number(process.hrtime.bigint()); // nanoseconds

// What llama.cpp says of its own work, when it is asked for it.
const said = [];
const llama = await getLlama({
  gpu: false,
  build: "never",
  skipDownload: true,
  progressLogs: false,
  logLevel: "info",
  logger: (_level, message) => said.push(message),
});
const model = await llama.loadModel({ modelPath: resolve(flags.model) });
const context = await model.createContext({
  sequences,
  contextSize,
  threads: 1, // two that spin starve everything else
  flashAttention: true, // what else takes the most time
  performanceTracking: true,
});

// The tokens of answers under way.
const underWay = new Set();

// The sequences that are free, and who waits for one.
const free = Array.from({ length: sequences }, () => context.getSequence());
const waiting = [];
const take = async () => free.pop() ?? new Promise((serve) => waiting.push(serve));
const give = (sequence) => (waiting.length > 0 ? waiting.shift()(sequence) : free.push(sequence));

function tokenize(text, special) {
  const tokens = model.tokenize(text, true);
  return special && model.tokens.shouldPrependBosToken ? [model.tokens.bos, ...tokens] : tokens;
}

const template = (messages) =>
  messages.map((m) => `<|im_start|>${m.role}\n${m.content}<|im_end|>\n`).join("") + "<|im_start|>assistant\n";

// generate calls emit for every token until the answer is as long as it may be, or
// gone says that nobody waits for it any more. It returns the engine's record.
async function generate(prompt, limit, ignoreEOS, reuse, gone, emit) {
  const sequence = await take();
  const tokens = [];
  underWay.add(tokens);
  try {
    if (reuse) await sequence.adaptStateToTokens(prompt.slice(0, -1), false);
    else await sequence.clearHistory();
    const kept = sequence.nextTokenIndex;
    const before = sequence.tokenMeter.getState();
    const times = [];
    for await (const token of sequence.evaluate(prompt.slice(kept), { temperature: 0, yieldEogToken: ignoreEOS })) {
      times.push(now());
      tokens.push(token);
      emit(token);
      if (tokens.length >= limit || gone()) break;
    }
    const used = sequence.tokenMeter.diff(before);
    return {
      prompt: prompt.length,
      kept, // of the prompt, from the answer before
      tokens: tokens.length,
      evaluated: used.usedInputTokens, // without asking for what comes next
      sampled: used.usedOutputTokens,
      cells: context._ctx.getSequenceKvCacheMaxPosition(sequence._sequenceId) + 1, // of the KV cache
      times,
    };
  } finally {
    underWay.delete(tokens);
    give(sequence);
  }
}

// limitOf returns how many tokens a request may get.
function limitOf(request, wrapper, prompt) {
  const honoured = ["max_completion_tokens", "max_tokens"].filter((f) => !wrapper.ignore?.includes(f));
  const field = honoured.find((f) => request[f] > 0);
  return Math.min(field ? request[field] : Infinity, contextSize - prompt.length);
}

// answer streams one answer.
async function answer(request, response, chat, arrived) {
  const wrapper = request.wrapper ?? {};
  const prompt = chat
    ? tokenize(template(request.messages), true)
    : Array.isArray(request.prompt) ? request.prompt : tokenize(request.prompt, true);
  if (prompt.length >= contextSize) {
    throw new Error(`the request exceeds the available context size: ${prompt.length} tokens of ${contextSize}`);
  }
  const socket = response.socket;
  socket.uses = (socket.uses ?? 0) + 1;
  const record = { user: request.user ?? "", cold: request.cache_prompt === false, connection: socket.number, use: socket.uses, arrived };

  const wanted = request.stream_options?.include_usage === true;
  const send = (choices, more) => {
    const event = { id: "answer", object: chat ? "chat.completion.chunk" : "text_completion", model: "tiny", choices };
    if (wanted && wrapper.usage === "null") event.usage = null;
    response.write(`data: ${JSON.stringify({ ...event, ...more })}\n\n`);
  };
  const choice = (text, reason) =>
    chat ? { index: 0, delta: text ? { content: text } : {}, finish_reason: reason } : { index: 0, text, finish_reason: reason };

  response.writeHead(200, { "Content-Type": "text/event-stream" });
  response.flushHeaders();
  if (chat) send([{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }]);
  let held = [];
  const flush = () => {
    if (held.length > 0) send([choice(model.detokenize(held), null)]);
    held = [];
  };
  const emit = (token) => {
    held.push(token);
    if (held.length >= (wrapper.tokensPerEvent ?? 1)) flush();
  };
  const limit = limitOf(request, wrapper, prompt);
  const known = chat ? answers.get(request.messages.at(-1).content) : undefined;
  let counted;
  if (known === undefined) {
    const reuse = flags.reuse === "always" || (flags.reuse === "asked" && request.cache_prompt !== false);
    counted = await generate(prompt, limit, request.ignore_eos === true, reuse, () => socket.destroyed, emit);
    note({ ...record, gone: socket.destroyed, ...counted });
  } else {
    const tokens = model.tokenize(known).slice(0, limit);
    tokens.forEach(emit);
    counted = { prompt: prompt.length, tokens: tokens.length };
  }
  flush();

  const usage = {
    prompt_tokens: counted.prompt,
    completion_tokens: counted.tokens,
    total_tokens: counted.prompt + counted.tokens,
  };
  const reason = counted.tokens >= limit ? "length" : "stop";
  if (wrapper.usage === "finish") {
    send([choice("", reason)], { usage });
  } else {
    send([choice("", reason)]);
    if (wanted) send([], { usage });
  }
  if (wrapper.close) response.on("finish", () => socket.destroy());
  response.end("data: [DONE]\n\n");
}

// Everything but answers, as llama.cpp's own server has it.
const plain = {
  "GET /v1/models": () => ({ object: "list", data: [{ id: "tiny", object: "model", owned_by: "llamacpp" }] }),
  "GET /props": () => ({ build_info: `${llama.llamaCppRelease.release} (node-llama-cpp)` }),
  "GET /slots": () => [...underWay].map((tokens, id) => ({ id, is_processing: true, n_decoded: tokens.length })),
  "POST /tokenize": (r) => ({ tokens: r.content ? tokenize(r.content, r.add_special) : [] }),
  "POST /detokenize": (r) => ({ content: model.detokenize(r.tokens, true) }),
  "POST /apply-template": (r) => ({ prompt: template(r.messages) }),
};

async function bodyOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return parts.length > 0 ? JSON.parse(Buffer.concat(parts).toString("utf8")) : {};
}

const active = new Set();
let connections = 0;
const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
  const what = `${request.method} ${request.url}`;
  try {
    const body = await bodyOf(request);
    if (what === "POST /v1/chat/completions" || what === "POST /v1/completions") {
      const work = answer(body, response, what.includes("/chat/"), now());
      active.add(work);
      await work.finally(() => active.delete(work));
      return;
    }
    const found = plain[what];
    response.writeHead(found ? 200 : 404, { "Content-Type": "application/json" });
    response.end(JSON.stringify(found ? found(body) : { error: { message: "not found", code: 404 } }));
  } catch (error) {
    if (!response.headersSent) response.writeHead(400, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ error: { message: String(error), code: 400 } }));
  }
});
server.on("connection", (socket) => (socket.number = connections++));

// total returns how many tokens went through llama.cpp, by its own counters: those
// of batches, and those that were alone.
async function total() {
  said.length = 0;
  await context.printTimings();
  await new Promise((done) => setTimeout(done, 100)); // it logs from another thread
  const count = (of) => Number(said.join("\n").match(of)?.[1] ?? NaN);
  return { batched: count(/prompt eval time =.*?\/\s*(\d+) tokens/), alone: count(/ {4,}eval time =.*?\/\s*(\d+) runs/) };
}

process.stdin.resume().on("end", async () => {
  server.close();
  server.closeAllConnections();
  await Promise.allSettled(active);
  note({ total: await total(), said });
  await llama.dispose();
  process.exit(0);
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
