"""Serve a GGUF file as an OpenAI-style service on loopback, with llama.cpp (`python tests/serving.py FILE`).

It gives vectors, or with `says` after the file it completes texts and chats. It prints its address, and stops when its
input ends.
"""

import sys


def main(path: str, what: str = "vectors") -> None:
    from xllamacpp import CommonParams, Server, ggml_type, llama_flash_attn_type, llama_pooling_type

    settings = CommonParams()
    settings.model.path = path
    if what == "vectors":
        settings.embedding = True
        settings.pooling_type = llama_pooling_type.LLAMA_POOLING_TYPE_LAST
    # By default it keeps keys and values in 16 bits, and so differs from the local model in the third digit.
    settings.cache_type_k = settings.cache_type_v = ggml_type.GGML_TYPE_F32
    settings.flash_attn_type = llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    settings.n_ctx = 2048
    settings.n_parallel = 1
    settings.cpuparams.n_threads = 1
    settings.hostnames = ["127.0.0.1"]
    settings.port = 0
    server = Server(settings)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
